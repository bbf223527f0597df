/**
 * How full a pool or block is: which share of its values cannot be claimed, and from when on that
 * is a warning.
 *
 * @import {Usage} from './api.js'
 * @typedef {'ok' | 'warning' | 'critical'} Level
 */

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
 * A pool that has reached its highest threshold is nearly exhausted, one that has reached another
 * fills up.
 *
 * @param {Usage & {thresholds: number[]}} pool
 * @returns {{level: Level, word: string}} the word is empty if there is nothing to say
 */
export function levelOf(pool) {
  if (pool.capacity > 0 && pool.free === 0) {
    return { level: 'critical', word: 'exhausted' };
  }
  const percent = 100 * usedShare(pool);
  const reached = pool.thresholds.filter((threshold) => percent >= threshold).length;
  if (reached === 0) {
    return { level: 'ok', word: '' };
  }
  return reached === pool.thresholds.length
    ? { level: 'critical', word: 'nearly exhausted' }
    : { level: 'warning', word: 'filling up' };
}
