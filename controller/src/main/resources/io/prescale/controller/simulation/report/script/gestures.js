// Navigation of both charts by keyboard, touch and mouse wheel.

function press(chart, event) {
  const middle = (view.from + view.to) / 2;
  const at = chart.at >= view.from && chart.at <= view.to ? chart.at : middle;
  const stride = chart.step * MINUTE * (event.shiftKey ? 60 : 1);
  const go = (time) => readAloud(chart, timeOf(minuteOf(time)));
  const actions = {
    ArrowLeft: () => go(at - stride),
    ArrowRight: () => go(at + stride),
    Home: () => go(view.from),
    End: () => go(view.to),
    PageUp: () => move(-0.5),
    PageDown: () => move(0.5),
    "+": () => zoom(0.5, at),
    "=": () => zoom(0.5, at),
    "-": () => zoom(2, at),
    0: () => show(first, last),
    Escape: () => show(first, last),
    Enter: () => explain(at),
  };
  if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    actions[event.key]();
  }
}

// One finger pans and two zoom: each finger stays on the time that it touched first.
function listen(plot) {
  const fingers = new Map();
  const left = () => plot.over.getBoundingClientRect().left;
  const timeAt = (x) => plot.posToVal(x - left(), "x");
  plot.over.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, { held: timeAt(event.clientX), x: event.clientX });
    }
  });
  plot.over.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) {
      return;
    }
    finger.x = event.clientX;
    const [one, two] = fingers.values();
    const width = plot.over.clientWidth;
    const stretched = two && Math.abs(two.x - one.x) > 20;
    const perPixel = stretched
      ? Math.abs((two.held - one.held) / (two.x - one.x))
      : (view.to - view.from) / width;
    const from = one.held - (one.x - left()) * perPixel;
    show(from, from + perPixel * width);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    plot.over.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      fingers.forEach((finger) => (finger.held = timeAt(finger.x)));
    });
  }
  const wheel = (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX));
    }
  };
  plot.over.addEventListener("wheel", wheel, { passive: false });
}
