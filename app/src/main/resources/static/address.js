/**
 * What the page shows is in the fragment of its address, so that it can be linked:
 * `#id=01FZG96YPZK4SANAG1ZM5T2K9Z&pool=workers`.
 */

/** @param {string} name */
export function readAddress(name) {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}

/**
 * @param {string} name
 * @param {string} value empty to remove it
 * @param {{replace?: boolean}} [how] `replace` adds no step to the history
 */
export function writeAddress(name, value, { replace = false } = {}) {
  if ((readAddress(name) ?? '') === value) {
    return;
  }
  const shown = new URLSearchParams(location.hash.slice(1));
  shown.set(name, value);
  for (const other of [...shown.keys()]) {
    if (!shown.get(other)) {
      shown.delete(other);
    }
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${shown}`);
}
