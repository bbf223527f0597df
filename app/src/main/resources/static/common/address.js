/**
 * What the page shows is in the fragment of its address, so that it can be linked:
 * `#id=01FZG96YPZK4SANAG1ZM5T2K9Z&pool=workers`. A name may occur more than once.
 */

/** @param {string} name */
export function readAddress(name) {
  return addressed().get(name);
}

/**
 * All values of a name, in their order.
 *
 * @param {string} name
 */
export function readAllOfAddress(name) {
  return addressed().getAll(name);
}

/**
 * @param {string} name
 * @param {string} value empty to remove it
 * @param {{replace?: boolean}} [how] `replace` adds no step to the history
 */
export function writeAddress(name, value, how = {}) {
  writeAllOfAddress({ [name]: [value] }, how);
}

/**
 * Writes several names in one step of the history. Empty values are left out.
 *
 * @param {Record<string, string[]>} values
 * @param {{replace?: boolean}} [how] `replace` adds no step to the history
 */
export function writeAllOfAddress(values, { replace = false } = {}) {
  const before = withoutEmpty(addressed());
  const shown = new URLSearchParams(before);
  for (const [name, all] of Object.entries(values)) {
    shown.delete(name);
    all.filter(Boolean).forEach((value) => shown.append(name, value));
  }
  if (String(sorted(shown)) !== String(sorted(before))) {
    history[replace ? 'replaceState' : 'pushState'](null, '', `#${shown}`);
  }
}

function addressed() {
  return new URLSearchParams(location.hash.slice(1));
}

/** @param {URLSearchParams} values */
function withoutEmpty(values) {
  return new URLSearchParams([...values].filter(([, value]) => value));
}

/**
 * By name; values of one name keep their order.
 *
 * @param {URLSearchParams} values
 */
function sorted(values) {
  const copy = new URLSearchParams(values);
  copy.sort();
  return copy;
}
