import { percent } from '../common/numbers.js';

/**
 * Which characters change from one identifier to the next, and how often.
 *
 * @typedef {object} Changes
 * @property {number} pairs how many neighbours were compared
 * @property {number[]} counts for each character, in how many pairs it differs
 */

/**
 * @param {string[]} ids all of one length
 * @returns {Changes}
 */
export function changesOf(ids) {
  const counts = Array.from({ length: ids[0]?.length ?? 0 }, () => 0);
  for (let at = 1; at < ids.length; at++) {
    for (const [place] of counts.entries()) {
      counts[place] += Number(ids[at][place] !== ids[at - 1][place]);
    }
  }
  return { pairs: Math.max(0, ids.length - 1), counts };
}

/**
 * Changes in words: "Characters 1 to 10 never change. Character 11 sometimes changes, in 3 to 94 %
 * of the steps."
 *
 * @param {Changes} changes
 */
export function changesText({ pairs, counts }) {
  if (pairs === 0) {
    return '';
  }
  const sentence = (
    /** @type {string} */ how,
    /** @type {(count: number) => boolean} */ isMeant,
    /** @type {string} */ often = '',
  ) => {
    const isOne = counts.filter(isMeant).length === 1;
    const places = rangesOf(counts, isMeant);
    return places && `${places} ${how} change${isOne ? 's' : ''}${often}.`;
  };
  const isSometimes = (/** @type {number} */ count) => count > 0 && count < pairs;
  return [
    sentence('never', (count) => count === 0),
    sentence(
      'sometimes',
      isSometimes,
      `, in ${shares(counts.filter(isSometimes), pairs)} of the steps`,
    ),
    sentence('always', (count) => count === pairs),
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * @param {number[]} counts
 * @param {number} pairs
 */
function shares(counts, pairs) {
  const [least, most] = [Math.min(...counts), Math.max(...counts)].map((count) =>
    percent(count, pairs),
  );
  return least === most ? least : `${least.replace(' %', '')} to ${most}`;
}

/**
 * The places that are meant, counted from 1: "Characters 1 to 10, 15".
 *
 * @param {number[]} counts
 * @param {(count: number) => boolean} isMeant
 */
function rangesOf(counts, isMeant) {
  /** @type {[first: number, last: number][]} */
  const ranges = [];
  counts.forEach((count, at) => {
    const last = ranges.at(-1);
    if (!isMeant(count)) {
      return;
    }
    if (last && last[1] === at) {
      last[1] = at + 1;
    } else {
      ranges.push([at + 1, at + 1]);
    }
  });
  if (ranges.length === 0) {
    return '';
  }
  const isPlural = ranges.length > 1 || ranges[0][0] !== ranges[0][1];
  const texts = ranges.map(([first, last]) =>
    first === last ? `${first}` : `${first} to ${last}`,
  );
  return `Character${isPlural ? 's' : ''} ${texts.join(', ')}`;
}

/**
 * How strongly a character is marked, from 0 (never changes) to 4 (always).
 *
 * @param {number} count
 * @param {number} pairs
 */
export function heatOf(count, pairs) {
  return count === 0 || pairs === 0 ? 0 : Math.ceil((4 * count) / pairs);
}

/**
 * The longest run of neighbours that have the same characters in a range.
 *
 * @param {string[]} ids
 * @param {[first: number, end: number][]} ranges
 */
export function longestRun(ids, ranges) {
  const keyOf = (/** @type {string} */ id) =>
    ranges.map(([first, end]) => id.slice(first, end)).join();
  /** @type {string[]} */
  let longest = [];
  /** @type {string[]} */
  let run = [];
  for (const id of ids) {
    run = run.length > 0 && keyOf(run[0]) === keyOf(id) ? [...run, id] : [id];
    longest = run.length > longest.length ? run : longest;
  }
  return longest;
}
