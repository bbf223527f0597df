/**
 * Which pools the list shows, and in which order.
 *
 * @import {Pool} from './api.js'
 */
import { usedShare } from './pool-level.js';

/** @type {Readonly<Record<string, {name: string, compare: (a: Pool, b: Pool) => number}>>} */
export const ORDERS = Object.freeze({
  name: { name: 'name', compare: byName },
  used: { name: 'share used', compare: (a, b) => usedShare(b) - usedShare(a) || byName(a, b) },
  free: { name: 'fewest free', compare: (a, b) => a.free - b.free || byName(a, b) },
  held: { name: 'most held', compare: (a, b) => b.held - a.held || byName(a, b) },
});

/**
 * The pools whose name, block or list contains `text`, in an order of {@link ORDERS}.
 *
 * @param {Pool[]} pools
 * @param {string} text
 * @param {string} order
 */
export function found(pools, text, order) {
  const wanted = text.trim().toLowerCase();
  const matching = pools.filter(({ name, blocks, lists }) =>
    [name, ...blocks, ...lists].some((known) => known.toLowerCase().includes(wanted)),
  );
  return matching.sort(ORDERS[order].compare);
}

/**
 * @param {Pool} a
 * @param {Pool} b
 */
function byName(a, b) {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
