/**
 * The states of a value, by the names that the API, the style sheet and people use.
 *
 * @import {Counts} from './api.js'
 * @typedef {keyof Counts | 'excluded'} ValueState
 */

/** @type {Readonly<Record<string, ValueState>>} */
const BY_LETTER = Object.freeze({
  f: 'free',
  h: 'held',
  q: 'quarantined',
  d: 'draining',
  x: 'excluded',
});

/** The states that a pool counts, in the order of legends and columns. @type {(keyof Counts)[]} */
export const COUNTED_STATES = ['held', 'quarantined', 'draining', 'free'];

/**
 * @param {string} states a letter for each value
 * @param {number} index
 * @returns {ValueState}
 */
export function stateAt(states, index) {
  return BY_LETTER[states[index]];
}

/**
 * How many values are in each state.
 *
 * @param {string} states a letter for each value
 * @returns {Counts}
 */
export function tally(states) {
  const counts = { free: 0, held: 0, quarantined: 0, draining: 0, excluded: 0 };
  for (let index = 0; index < states.length; index++) {
    counts[stateAt(states, index)]++;
  }
  return counts;
}

/**
 * The indexes of the values whose state differs.
 *
 * @param {string} before
 * @param {string} after of the same length
 */
export function changedIndexes(before, after) {
  const changed = [];
  for (let index = 0; before !== after && index < after.length; index++) {
    if (before.charCodeAt(index) !== after.charCodeAt(index)) {
      changed.push(index);
    }
  }
  return changed;
}
