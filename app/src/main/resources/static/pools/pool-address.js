import { readAddress, writeAddress } from '../common/address.js';
import { element } from '../common/dom.js';

/**
 * What the fragment of the address says of pools: `#pool=NAME&tab=claims`, or
 * `#pool=NAME&value=45.67.80.17` for a value on the map, and `&from=FIRST&to=LAST` for a range of a
 * large pool.
 *
 * @typedef {(typeof TABS)[number]} Tab
 * @typedef {{from: string, to: string}} Range
 * @typedef {{pool: string | null, tab: Tab, value: string, range: Range | null}} Address
 */

/** The parts of a pool's page. The first is shown if the address names none. */
export const TABS = /** @type {const} */ ([
  'map',
  'claims',
  'usage',
  'history',
  'quarantine',
  'blocks',
  'settings',
]);

/** Browsers ignore an address that changes more often than a few times a second. */
const WRITE_PAUSE_MILLIS = 150;

let writing = 0;

/** @returns {Address} */
export function currentAddress() {
  clearTimeout(writing);
  const named = readAddress('tab');
  const from = readAddress('from');
  const to = readAddress('to');
  return {
    pool: readAddress('pool'),
    tab: TABS.find((tab) => tab === named) ?? TABS[0],
    value: readAddress('value') ?? '',
    range: from && to ? { from, to } : null,
  };
}

/**
 * Replaces the value of the address, in a moment: while an arrow key is held down, values follow
 * each other quickly. Nothing is written if the address changes meanwhile.
 *
 * @param {string} value empty to remove it
 */
export function writeValue(value) {
  clearTimeout(writing);
  writing = setTimeout(() => writeAddress('value', value, { replace: true }), WRITE_PAUSE_MILLIS);
}

/**
 * A link to a tab of a pool, or to a value on its map.
 *
 * @param {string} pool
 * @param {Tab} [tab]
 * @param {string} [value]
 */
export function linkTo(pool, tab = TABS[0], value = '') {
  const said = { pool, ...(tab === TABS[0] ? {} : { tab }), ...(value ? { value } : {}) };
  return `#${new URLSearchParams(said)}`;
}

/**
 * @param {string} pool
 * @param {Range} range
 */
export function linkToRange(pool, range) {
  return `#${new URLSearchParams({ pool, ...range })}`;
}

/**
 * A value in a table, as a link to its cell on the map.
 *
 * @param {string} pool
 * @param {string} value
 */
export function valueLink(pool, value) {
  return element('a', { class: 'link mono', href: linkTo(pool, 'map', value) }, value);
}
