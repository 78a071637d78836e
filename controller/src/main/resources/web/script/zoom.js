// Zoom and pan of a chart's time axis by mouse, wheel, touch and keyboard.

const SHORTEST = 10 * 60; // seconds
const A_CLICK = 4; // pixels that a hand may move while it clicks
const CLOSER = 0.8;

/** The part of a time axis that is shown when from and to are asked for; null when that is all of it. */
export function fitted(from, to, first, last) {
  const length = Math.max(SHORTEST, to - from);
  if (length >= last - first) {
    return null;
  }
  const begin = Math.max(first, Math.min(last - length, from));
  return [begin, begin + length].map((time) => 60 * Math.round(time / 60));
}

/** The time axis by a factor shorter or longer, with the same time under the pointer. */
export const scaled = ([from, to], factor, at) => [at - (at - from) * factor, at + (to - at) * factor];

/** What a key does to the time axis; undefined for every other key. */
export function keyed(key, shown, at) {
  return { "+": () => scaled(shown, CLOSER, at), "=": () => scaled(shown, CLOSER, at), "-": () => scaled(shown, 1 / CLOSER, at), 0: () => [-Infinity, Infinity] }[key]?.();
}

/**
 * Listens to a plot. The mouse drags out a span to zoom into, and drags the axis once it is zoomed; the wheel zooms with
 * Ctrl, or when the chart has the focus, and pans sideways. One finger drags a zoomed axis and two zoom: each finger
 * stays on the time that it touched first.
 *
 * @param over the element over the plot
 * @param axis shown() is [from, to], isZoomed() whether that is a part, show(from, to) changes it, focused() whether the
 *     chart has the focus, and timeAt(x) is the time at a position on the page
 */
export function listen(over, axis) {
  const pointers = new Map();
  let moved = false;
  over.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.button === 0 && (event.pointerType === "touch" || axis.isZoomed())) {
      pointers.set(event.pointerId, { held: axis.timeAt(event.clientX), begun: event.clientX, x: event.clientX });
    }
  });
  over.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) {
      return;
    }
    pointer.x = event.clientX;
    moved ||= Math.abs(pointer.x - pointer.begun) > A_CLICK;
    if (moved) {
      follow(over, axis, [...pointers.values()]);
    }
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    over.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      pointers.forEach((pointer) => (pointer.held = axis.timeAt(pointer.x)));
    });
  }
  over.addEventListener("click", (event) => moved && event.stopImmediatePropagation(), true);
  over.addEventListener("dblclick", () => axis.show(-Infinity, Infinity));
  over.addEventListener("wheel", (event) => wheel(event, axis), { passive: false });
}

function follow(over, axis, [one, two]) {
  const { left, width } = over.getBoundingClientRect();
  const [from, to] = axis.shown();
  const isPinched = two && Math.abs(two.x - one.x) > 20;
  const perPixel = isPinched ? Math.abs((two.held - one.held) / (two.x - one.x)) : (to - from) / width;
  const begin = one.held - (one.x - left) * perPixel;
  axis.show(begin, begin + perPixel * width);
}

function wheel(event, axis) {
  const [from, to] = axis.shown();
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && axis.isZoomed()) {
    event.preventDefault();
    const by = ((to - from) * event.deltaX) / 800;
    axis.show(from + by, to + by);
  } else if (event.ctrlKey || event.metaKey || axis.focused()) {
    event.preventDefault();
    axis.show(...scaled([from, to], event.deltaY < 0 ? CLOSER : 1 / CLOSER, axis.timeAt(event.clientX)));
  }
}
