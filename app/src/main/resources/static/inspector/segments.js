/**
 * A text cut into what is shown of it: the marks, and the characters around them. What is far from
 * every mark is left out, so that a text of 1 MiB stays small on the page.
 *
 * @typedef {{text: string} | {text: string, mark: number} | {omitted: number}} Segment
 */

/** Characters that are shown before and after a mark. */
export const AROUND = 160;

/**
 * @param {string} text
 * @param {{start: number, end: number}[]} found half-open ranges in UTF-16 code units, in their order
 * @returns {Segment[]} `mark` is the index of what was found; `omitted` counts code units
 */
export function segmentsOf(text, found) {
  /** @type {Segment[]} */
  const segments = [];
  let at = 0;
  found.forEach(({ start, end }, mark) => {
    if (start >= at) {
      segments.push(...between(text.slice(at, start), { isFirst: mark === 0, isLast: false }));
      segments.push({ text: text.slice(start, end), mark });
      at = end;
    }
  });
  segments.push(...between(text.slice(at), { isFirst: found.length === 0, isLast: true }));
  return segments.filter((segment) => 'omitted' in segment || segment.text !== '');
}

/**
 * @param {string} text
 * @param {{isFirst: boolean, isLast: boolean}} place whether no mark stands before or after it
 * @returns {Segment[]}
 */
function between(text, { isFirst, isLast }) {
  if (text.length <= 2 * AROUND) {
    return [{ text }];
  }
  const head = isFirst ? 0 : whole(text, AROUND);
  const tail = isLast ? text.length : whole(text, text.length - AROUND);
  return [{ text: text.slice(0, head) }, { omitted: tail - head }, { text: text.slice(tail) }];
}

/**
 * A place at which no character is cut into its two code units.
 *
 * @param {string} text
 * @param {number} at
 */
function whole(text, at) {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
}

/**
 * The place of a code unit, as editors count it.
 *
 * @param {string} text
 * @param {number} at
 */
export function placeOf(text, at) {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
