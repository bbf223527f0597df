/** @import {ReadingField} from './api.js' */

/**
 * The hue of a field by what its name says, so that a part has the same hue in every kind. The
 * first pattern that fits decides.
 *
 * @type {[RegExp, string][]}
 */
const HUES = [
  [/^ver$/, 'orange'],
  [/^var$/, 'pink'],
  [/seq|counter|increment/, 'sky'],
  [/rand|md5|sha1|custom|payload|opaque|block|^rest$|^identifier$/, 'green'],
  [
    /node|machine|worker|datacenter|shard|process|^pid$|^local_|^namespace|^collection/,
    'vermilion',
  ],
  [/time|_ts|sec|nanos|millis|micros/, 'blue'],
];

/**
 * A hue for each field. Neighbours of one hue are parts of one thing, such as a time.
 *
 * @param {ReadingField[]} fields
 */
export function huesOf(fields) {
  return fields.map(({ name }) => HUES.find(([pattern]) => pattern.test(name))?.[1] ?? 'grey');
}
