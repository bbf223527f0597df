/**
 * A list that is shown page by page, each of which begins after the last item of the one before.
 *
 * @typedef {object} Pages
 * @property {string[]} starts the `after` of each page up to the one that is shown
 * @property {string | null} next the `after` of the next page; null on the last one
 */

/** @type {Pages} */
export const FIRST_PAGE = { starts: [''], next: null };

/**
 * Turns to the page before or after. Until that has been loaded, or if it cannot be, turning to the
 * page after it changes nothing: its `next` is not known.
 *
 * @param {Pages} pages
 * @param {number} by -1 or 1
 * @returns {Pages}
 */
export function turned({ starts, next }, by) {
  const shown = starts[starts.length - 1];
  if (by < 0) {
    return starts.length > 1 ? { starts: starts.slice(0, -1), next: shown } : { starts, next };
  }
  return next === null || next === shown ? { starts, next } : { starts: [...starts, next], next };
}
