/**
 * The HTTP API as the pools view uses it: paths, and the types of answers, which follow the schemas of
 * `openapi.json`. Other modules take the types from here, so `tsc` finds every use of a field that
 * is renamed.
 */
import { request } from '../common/http.js';
import { queryOf } from './claim-finder.js';

/**
 * @import {Search} from './claim-finder.js'
 * @import {Range} from './pool-address.js'
 */

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
 * @property {string | null} database of several, the one that it is in
 * @property {string[]} blocks
 * @property {string[]} lists
 * @property {string | null} blocks_from the pool that it gets its blocks from, if it does
 * @property {number | null} keep_free with fewer free values, it gets another block
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
 * @property {number[]} thresholds in percent
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
 * @typedef {object} DensityPart
 * @property {string} block
 * @property {string | null} cidr null if the values are not addresses
 * @property {string} first
 * @property {string} last
 * @property {number} size all values, also excluded ones
 * @property {number} held
 * @property {number} quarantined
 * @property {number} free
 * @property {number} draining
 * @property {number} excluded
 */

/** @typedef {{pool: string, part_size: number, parts: DensityPart[]}} Density */

/**
 * @typedef {object} UsageSample the minute of a step with the fewest free values
 * @property {string} at
 * @property {number} held
 * @property {number} quarantined
 * @property {number} free
 * @property {number} capacity
 * @property {number} used_percent the share of values that were not free
 */

/**
 * @typedef {object} PoolUsage how full a pool was
 * @property {string} from
 * @property {string} until
 * @property {string} step the length of time that a sample stands for
 * @property {number[]} thresholds in percent
 * @property {UsageSample[]} samples
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
 * @property {ClaimNote | null} note null if nothing is written
 */

/**
 * @typedef {object} ClaimNote what people have written about a claim
 * @property {Record<string, string>} labels
 * @property {string | null} dns_name
 * @property {string | null} description
 */

/**
 * @typedef {object} HistoryEntry
 * @property {string} value
 * @property {string} client
 * @property {number} slot
 * @property {string | null} owner
 * @property {string} claimed_at
 * @property {string | null} ended_at null while the value is held
 * @property {string | null} ending
 * @property {ClaimNote | null} note
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

/**
 * @typedef {object} PoolAnswer
 * @property {Pool[]} pools
 * @property {string[]} unreachable the databases, of several, that do not answer: their pools are
 *   not among them
 */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<PoolAnswer>}
 */
export async function listPools(signal) {
  const { body } = await request(['pools'], { signal });
  return body;
}

/**
 * @param {string} pool
 * @returns {Promise<Pool>}
 */
export async function readPool(pool) {
  const { body } = await request(['pools', pool]);
  return body;
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
 * @param {Range | null} range null for the whole pool
 * @param {AbortSignal} signal
 * @returns {Promise<Density>}
 */
export async function readDensity(pool, range, signal) {
  const { body } = await request(['pools', pool, 'density'], { query: range ?? {}, signal });
  return body;
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {Date} options.from
 * @param {Date} options.until
 * @param {AbortSignal} options.signal
 * @returns {Promise<PoolUsage>}
 */
export async function readUsage(pool, { from, until, signal }) {
  const query = { from: from.toISOString(), until: until.toISOString() };
  const { body } = await request(['pools', pool, 'usage'], { query, signal });
  return body;
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {string} options.after empty for the first page
 * @param {number} options.limit
 * @param {AbortSignal} options.signal
 * @returns {Promise<{values: string[], next: string | null}>}
 */
export async function listFree(pool, { after, limit, signal }) {
  const query = { limit, ...(after ? { after } : {}) };
  const { body } = await request(['pools', pool, 'free'], { query, signal });
  return body;
}

/**
 * @param {string} pool
 * @param {'after' | 'before'} direction
 * @param {string} value empty for the first held value of the pool
 * @returns {Promise<Claim | null>} null if no value is held there
 */
export async function findHeld(pool, direction, value) {
  /** @type {Record<string, string>} */
  const query = value ? { [direction]: value } : {};
  const { body } = await request(['pools', pool, 'held'], { query });
  return body.claim;
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {Search} options.search
 * @param {string} options.after empty for the first page
 * @param {number} options.limit
 * @param {AbortSignal} options.signal
 * @returns {Promise<ClaimPage>}
 */
export async function listClaims(pool, { search, after, limit, signal }) {
  const query = { limit, ...queryOf(search), ...(after ? { after } : {}) };
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
 * @param {string} options.after empty for the first page
 * @param {number} options.limit
 * @param {AbortSignal} options.signal
 * @returns {Promise<{values: {value: string, until: string}[], next: string | null}>}
 */
export async function listQuarantined(pool, { after, limit, signal }) {
  const query = { limit, ...(after ? { after } : {}) };
  const { body } = await request(['pools', pool, 'quarantine'], { query, signal });
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

/**
 * Replaces what is written about a claim.
 *
 * @param {Claim} claim
 * @param {{labels: Record<string, string>, dns_name?: string, description?: string}} note
 */
export async function setNote({ pool, value, token }, note) {
  await request(['pools', pool, 'claims', value, 'note'], {
    method: 'PUT',
    headers: { 'if-match': `"${token}"` },
    body: note,
  });
}

/** @param {Claim} claim */
export async function releaseClaim({ pool, value, token }) {
  await request(['pools', pool, 'claims', value], {
    method: 'DELETE',
    headers: { 'if-match': `"${token}"` },
  });
}

/**
 * @param {string} pool
 * @param {object} options
 * @param {Search} options.search
 * @param {string} options.value empty for all values
 * @param {string} options.before empty for the first page
 * @param {number} options.limit
 * @param {AbortSignal} options.signal
 * @returns {Promise<{history: HistoryEntry[], next: string | null}>}
 */
export async function listHistory(pool, { search, value, before, limit, signal }) {
  const filter = Object.entries({ value, before }).filter(([, text]) => text !== '');
  const query = { limit, ...queryOf(search), ...Object.fromEntries(filter) };
  const { body } = await request(['pools', pool, 'history'], { query, signal });
  return body;
}
