// The address after the #: a view, an item in it, and what is shown of it, so that a link shows the same.

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that escapes nothing
  }
};

/** What an address says: {view, item, shown}; item is null and shown is empty where it says nothing. */
export function address(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...item] = path.split("/").map(decoded);
  return { view, item: item.join("/") || null, shown: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of an item; values that are null or empty are left out. */
export function link(view, item = null, shown = {}) {
  const query = new URLSearchParams(Object.entries(shown).filter(([, value]) => value !== null && value !== ""));
  return `#/${view}${item ? "/" + encodeURIComponent(item) : ""}${query.size ? "?" + query : ""}`;
}

/** Keeps what is shown in the address, without a step for the Back button. */
export function keep(view, item, shown) {
  const wanted = link(view, item, shown);
  if (location.hash !== wanted) {
    history.replaceState(null, "", wanted);
  }
}
