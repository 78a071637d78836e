// Creates and updates elements; text is never interpreted as markup.

export const $ = (id) => document.getElementById(id);

/** Creates an element; attributes that are null or false are left out. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A legend of [classes of a swatch, words]. */
export const legend = (...entries) =>
  el("ul", { class: "legend" }, ...entries.map(([swatch, words]) => el("li", {}, el("span", { class: "swatch " + swatch }), words)));

/** Sets a text only if it differs, which avoids needless layout. */
export function text(element, value) {
  if (element.textContent !== value) {
    element.textContent = value;
  }
}

export function attribute(element, name, value) {
  if (value === null || value === false) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/** Sets the share of a bar; the content security policy permits styles set by script, but not in markup. */
export function part(element, share, name = "--part") {
  const value = `${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%`;
  if (element.style.getPropertyValue(name) !== value) {
    element.style.setProperty(name, value);
  }
}

/** Moves an element before another; the focus stays where the browser can keep it. */
function move(parent, element, place) {
  if (element.isConnected && parent.moveBefore) {
    parent.moveBefore(element, place);
  } else {
    parent.insertBefore(element, place);
  }
}

/** Keeps one element per key: creates new ones, updates all, and removes stale ones. */
export function keyed(parent, items, key, make, update) {
  const known = parent.keyed ?? (parent.keyed = new Map());
  const wanted = new Set();
  let place = parent.firstElementChild;
  for (const item of items) {
    const id = key(item);
    wanted.add(id);
    let element = known.get(id);
    if (!element) {
      element = make(item);
      known.set(id, element);
    }
    update(element, item);
    if (element === place) {
      place = place.nextElementSibling;
    } else {
      move(parent, element, place);
    }
  }
  for (const [id, element] of known) {
    if (!wanted.has(id)) {
      element.remove();
      known.delete(id);
    }
  }
}
