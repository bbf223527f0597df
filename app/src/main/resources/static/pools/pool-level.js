/**
 * How full a pool or block is: which share of its values cannot be claimed, and from when on that
 * is a warning.
 *
 * @import {Usage} from './api.js'
 * @typedef {'ok' | 'warning' | 'critical'} Level
 */

/** From these shares on a pool is marked; the chart draws them as lines. */
export const WARNING_SHARE = 0.8;
export const CRITICAL_SHARE = 0.95;

/**
 * How many values are not free. They are added up: the difference of two numbers of twenty digits
 * would be rounded to nothing.
 *
 * @param {Usage} usage
 */
export function usedCount({ held, quarantined, draining }) {
  return held + quarantined + draining;
}

/**
 * The share of values that are not free. Excluded values are not counted by the capacity.
 *
 * @param {Usage} usage
 */
export function usedShare(usage) {
  return usage.capacity === 0 ? 0 : usedCount(usage) / usage.capacity;
}

/**
 * @param {Usage} usage
 * @returns {{level: Level, word: string}} the word is empty if there is nothing to say
 */
export function levelOf(usage) {
  const share = usedShare(usage);
  if (usage.capacity > 0 && usage.free === 0) {
    return { level: 'critical', word: 'exhausted' };
  }
  if (share >= CRITICAL_SHARE) {
    return { level: 'critical', word: 'nearly exhausted' };
  }
  return share >= WARNING_SHARE
    ? { level: 'warning', word: 'filling up' }
    : { level: 'ok', word: '' };
}
