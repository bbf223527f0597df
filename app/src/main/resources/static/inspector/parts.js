/** @import {ReadingField, Reading} from './api.js' */

/**
 * What a field is for. A part has the same hue in every kind, and a name that all kinds share.
 *
 * @typedef {object} Part
 * @property {string} hue
 * @property {string} name
 * @property {RegExp} fields the names of the fields that are of this part
 */

/** @type {Part} what is of no other part */
const OTHER = { hue: 'grey', name: 'Other', fields: /(?:)/ };

/** The first part whose pattern fits the name of a field decides. @type {Part[]} */
const BY_NAME = [
  { hue: 'orange', name: 'Version', fields: /^ver$/ },
  { hue: 'pink', name: 'Variant', fields: /^var$/ },
  { hue: 'sky', name: 'Counter', fields: /seq|counter|increment/ },
  {
    hue: 'green',
    name: 'Random or content',
    fields: /rand|md5|sha1|custom|payload|opaque|block|^rest$|^identifier$/,
  },
  {
    hue: 'vermilion',
    name: 'Node',
    fields: /node|machine|worker|datacenter|shard|process|^pid$|^local_|^namespace|^collection/,
  },
  { hue: 'blue', name: 'Time', fields: /time|_ts|sec|nanos|millis|micros/ },
  OTHER,
];

/** All parts, in the order in which they are compared. */
export const PARTS = [
  'Time',
  'Counter',
  'Node',
  'Random or content',
  'Version',
  'Variant',
  'Other',
].map((wanted) => /** @type {Part} */ (BY_NAME.find(({ name }) => name === wanted)));

/**
 * @param {Pick<ReadingField, 'name'>} field
 * @returns {Part}
 */
export function partOf({ name }) {
  return BY_NAME.find(({ fields }) => fields.test(name)) ?? OTHER;
}

/**
 * A hue for each field. Neighbours of one hue are parts of one thing, such as a time.
 *
 * @param {Pick<ReadingField, 'name'>[]} fields
 */
export function huesOf(fields) {
  return fields.map((field) => partOf(field).hue);
}

/**
 * The bits of an identifier as hexadecimal digits.
 *
 * @param {Pick<Reading, 'forms'>} reading
 * @returns {string | null} null if the reading has no such form
 */
export function hexOf({ forms }) {
  const hex = forms?.hex ?? forms?.uuid?.replaceAll('-', '');
  return hex && /^([0-9a-f]{2})+$/i.test(hex) ? hex.toLowerCase() : null;
}
