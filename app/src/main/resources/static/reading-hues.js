/** @import {ReadingField} from './api.js' */

/**
 * The hue of a field by what its name says, so that a part has the same hue in every kind.
 *
 * @type {[RegExp, string][]}
 */
const HUES = [
  [/^ver/, 'orange'],
  [/^var/, 'pink'],
  [/rand|hash|custom|payload|rest/, 'green'],
  [/seq|count|increment|fraction/, 'sky'],
  [/node|mac|shard|machine|worker/, 'vermilion'],
  [/time|ts|sec|epoch/, 'blue'],
];
const SPARE_HUES = ['blue', 'green', 'sky', 'vermilion', 'pink', 'orange', 'grey'];

/**
 * A hue for each field; no two are the same while there are enough.
 *
 * @param {ReadingField[]} fields
 */
export function huesOf(fields) {
  const used = new Set();
  return fields.map(({ name }) => {
    const own = HUES.find(([pattern]) => pattern.test(name))?.[1];
    const spare = SPARE_HUES.find((hue) => !used.has(hue)) ?? 'grey';
    const hue = own && !used.has(own) ? own : spare;
    used.add(hue);
    return hue;
  });
}
