/**
 * The HTTP API as the console uses it: its paths and the types of its answers, which follow
 * the schemas of `openapi.json`. Other modules take the types from here, so `tsc` finds every use
 * of a field that is renamed.
 */
import { request } from './http.js';

/**
 * @typedef {object} Counts how many values of a pool or block are in each state
 * @property {number} free
 * @property {number} held
 * @property {number} quarantined
 * @property {number} draining
 */

/**
 * @typedef {{capacity: number} & Counts} Usage
 * @typedef {{block: string, drains: boolean} & Usage} BlockUsage
 */

/**
 * @typedef {object} Declaration
 * @property {string} name
 * @property {string[]} blocks
 * @property {string[]} lists
 * @property {string[]} exclude
 * @property {'random' | 'ascending'} order
 * @property {number} per_client
 * @property {number | null} per_owner
 * @property {boolean} sticky
 * @property {string | null} lease
 * @property {string} quarantine
 * @property {string | null} history
 * @property {{prefix: string, embed: 'ipv4' | 'client'} | null} ipv6
 * @property {'trust' | 'quarantine' | 'stop'} after_failover
 * @property {string | null} stopped_at
 */

/** @typedef {Declaration & Usage & {utilisation: BlockUsage[]}} Pool */

/**
 * @typedef {object} PoolMapBlock the part of a block that a map covers
 * @property {string} block
 * @property {number} count
 * @property {string} first
 * @property {string[] | null} values those of a list; other values follow `first` without a gap
 */

/**
 * @typedef {object} ValueMap the states of consecutive values, in the order of the pool's blocks
 * @property {string} pool
 * @property {number} from
 * @property {number} count
 * @property {number} total
 * @property {PoolMapBlock[]} blocks
 * @property {string} states one letter for each value, see value-states.js
 */

/**
 * @typedef {object} Claim
 * @property {string} pool
 * @property {string} value
 * @property {string} client
 * @property {number} slot
 * @property {string | null} owner
 * @property {string} token
 * @property {string} claimed_at
 * @property {string | null} expires_at null without a lease
 * @property {string | null} ipv6
 */

/**
 * @typedef {object} HistoryEntry
 * @property {string} client
 * @property {string | null} owner
 * @property {string} claimed_at
 * @property {string | null} ended_at null while the value is held
 * @property {string | null} ending
 */

/**
 * @typedef {object} ClaimPage
 * @property {Claim[]} claims
 * @property {string | null} next the `after` of the next page; null at the end
 */

/**
 * @typedef {object} ClaimRequest
 * @property {string} client
 * @property {string} [owner]
 * @property {string} [value]
 * @property {number} [count]
 */

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
 * @param {string} id
 * @returns {Promise<Inspection>}
 */
export async function inspect(id) {
  const { body } = await request(['ids'], { query: { id } });
  return body[0];
}

/**
 * @param {string} kind
 * @returns {Promise<string>}
 */
export async function mint(kind) {
  const { body } = await request(['ids'], { method: 'POST', body: { kind, count: 1 } });
  return body.ids[0];
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Pool[]>}
 */
export async function listPools(signal) {
  const { body } = await request(['pools'], { signal });
  return body.pools;
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {number} options.from
 * @param {number} options.limit
 * @param {string} options.etag of the map that is shown; empty if there is none
 * @param {AbortSignal} options.signal
 * @returns {Promise<{map: ValueMap, etag: string} | null>} null if the map did not change
 */
export async function readMap(pool, { from, limit, etag, signal }) {
  const { status, headers, body } = await request(['pools', pool, 'map'], {
    // BigInt writes all digits where a number would be written with an exponent.
    query: { from: BigInt(from).toString(), limit },
    headers: etag ? { 'if-none-match': etag } : {},
    signal,
  });
  return status === 304 ? null : { map: body, etag: headers.get('etag') ?? '' };
}

/**
 * @param {string} pool
 * @param {string} value
 * @param {number} limit
 * @returns {Promise<number>} where the window of `limit` values starts that has the value
 */
export async function findWindow(pool, value, limit) {
  const { body } = await request(['pools', pool, 'map'], { query: { value, limit } });
  return body.from;
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {string} options.client empty for the claims of all clients
 * @param {string} options.after empty for the first page
 * @param {number} options.limit
 * @param {AbortSignal} options.signal
 * @returns {Promise<ClaimPage>}
 */
export async function listClaims(pool, { client, after, limit, signal }) {
  const query = { limit, ...(client ? { client } : {}), ...(after ? { after } : {}) };
  const { body } = await request(['pools', pool, 'claims'], { query, signal });
  return body;
}

/**
 * @param {string} pool
 * @param {string} value
 * @param {AbortSignal} signal
 * @returns {Promise<Claim>}
 */
export async function readClaim(pool, value, signal) {
  const { body } = await request(['pools', pool, 'claims', value], { signal });
  return body;
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {string} options.value
 * @param {number} options.limit
 * @param {AbortSignal} options.signal
 * @returns {Promise<HistoryEntry[]>} the latest first
 */
export async function readHistory(pool, { value, limit, signal }) {
  const { body } = await request(['pools', pool, 'history'], { query: { value, limit }, signal });
  return body.history;
}

/**
 * @param {string} pool
 * @param {ClaimRequest} wanted
 * @returns {Promise<{claims: Claim[], isNew: boolean}>} not new: the client held them already
 */
export async function createClaims(pool, wanted) {
  const { status, body } = await request(['pools', pool, 'claims'], {
    method: 'POST',
    body: wanted,
  });
  return { claims: body.claims ?? [body], isNew: status === 201 };
}

/** @param {Claim} claim */
export async function renewClaim({ pool, value, token }) {
  await request(['pools', pool, 'claims', value, 'renewal'], {
    method: 'POST',
    headers: { 'if-match': `"${token}"` },
  });
}

/** @param {Claim} claim */
export async function releaseClaim({ pool, value, token }) {
  await request(['pools', pool, 'claims', value], {
    method: 'DELETE',
    headers: { 'if-match': `"${token}"` },
  });
}
