/**
 * The HTTP API as the inspector uses it: paths, and the types of answers, which follow the schemas of
 * `openapi.json`. Other modules take the types from here, so `tsc` finds every use of a field that
 * is renamed.
 */
import { Problem, request } from '../common/http.js';

/** @import {MintBody} from './minting.js' */

/** @typedef {[first: number, end: number]} Range half-open */

/**
 * @typedef {object} ReadingField
 * @property {string} name
 * @property {Range} bits bit 0 is the most significant
 * @property {Range} [text] into the input; ranges may overlap
 * @property {string | number} value
 * @property {string} [meaning]
 */

/**
 * @typedef {object} Reading
 * @property {string} kind
 * @property {string} [time]
 * @property {string} reason
 * @property {string[]} [warnings]
 * @property {ReadingField[]} fields
 * @property {Record<string, string>} [forms]
 */

/** @typedef {{input: string, readings: Reading[], nearest_miss: string | null}} Inspection */

/**
 * @typedef {object} FoundId
 * @property {number} start index of its first UTF-16 code unit
 * @property {number} end
 * @property {string} text
 * @property {Reading[]} readings none for an IP address that is nothing else
 * @property {string | null} collection
 * @property {{pool: string, client: string}[]} claims
 */

/** @typedef {{start: number, end: number, text: string, reason: string}} NearestMiss */

/** @typedef {{ids: FoundId[], truncated: boolean, nearest_miss: NearestMiss | null}} TextInspection */

/** @typedef {{collection: string, columns: string[]}} SearchableCollection */

/** @typedef {{column: string, text: string | null, cut: boolean}} RowValue */

/**
 * @typedef {object} RowAnswer
 * @property {string} collection
 * @property {'found' | 'none' | 'not_looked_at'} outcome
 * @property {{values: RowValue[]}[]} rows
 * @property {boolean} more
 * @property {string | null} reason
 * @property {string | null} detail
 */

/**
 * One inspection for each id, in their order.
 *
 * @param {string[]} ids
 * @returns {Promise<Inspection[]>}
 */
export async function inspect(ids) {
  const { body } = await request(['ids'], { query: { id: ids } });
  return body;
}

/**
 * Finds the identifiers in a text. The text is sent in the body, so it is in no address and no log.
 *
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<TextInspection>}
 */
export async function inspectText(text, signal) {
  try {
    const { body } = await request(['inspections'], { method: 'POST', body: { text }, signal });
    return body;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) {
      throw new Error('This server does not search texts. Enter one identifier without spaces.', {
        cause: error,
      });
    }
    throw error;
  }
}

/**
 * Mints ids, one if the body has no count.
 *
 * @param {MintBody} body
 * @returns {Promise<string[]>}
 */
export async function mint(body) {
  const answer = await request(['ids'], { method: 'POST', body });
  return answer.body.ids;
}

/**
 * The collections in which rows may be searched.
 *
 * @returns {Promise<SearchableCollection[]>}
 */
export async function searchable() {
  const { body } = await request(['rows', 'collections']);
  return body;
}

/**
 * An answer of each collection that may be searched.
 *
 * @param {string} id
 * @returns {Promise<RowAnswer[]>}
 */
export async function findRows(id) {
  const { body } = await request(['rows'], { query: { id } });
  return body.collections;
}
