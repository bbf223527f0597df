/**
 * The requests that change a pool itself: create, delete, its blocks and its settings.
 *
 * @import {ClaimPage, Pool} from './api.js'
 */
import { request } from '../common/http.js';

/** How long the import of the largest file may take. */
const IMPORT_MILLIS_MAX = 300_000;

/**
 * @param {Record<string, unknown>} declaration
 * @returns {Promise<Pool>}
 */
export async function createPool(declaration) {
  const { body } = await request(['pools'], { method: 'POST', body: declaration });
  return body;
}

/**
 * @param {string} pool
 * @param {string} block
 */
export async function addBlock(pool, block) {
  await request(['pools', pool, 'blocks'], { method: 'POST', body: { block } });
}

/**
 * @param {string} pool
 * @param {string} block
 * @param {boolean} drains
 */
export async function drainBlock(pool, block, drains) {
  const options = { method: 'PATCH', query: { block }, body: { drains } };
  await request(['pools', pool, 'blocks'], options);
}

/**
 * @param {string} pool
 * @param {string} block
 */
export async function removeBlock(pool, block) {
  await request(['pools', pool, 'blocks'], { method: 'DELETE', query: { block } });
}

/**
 * Quarantines values that are not held.
 *
 * @param {string} pool
 * @param {{values?: string[], all?: boolean, for: string}} wanted
 * @returns {Promise<{quarantined: {value: string, until: string}[], held: string[]} | null>} null
 *     if all values were asked for
 */
export async function quarantineValues(pool, wanted) {
  const { body } = await request(['pools', pool, 'quarantine'], { method: 'POST', body: wanted });
  return body;
}

/**
 * Excludes values, or includes them again.
 *
 * @param {string} pool
 * @param {'exclude' | 'include'} how
 * @param {string[]} values
 * @returns {Promise<{changed: boolean, exclude: string[], held: ClaimPage}>}
 */
export async function changeExclusion(pool, how, values) {
  const { body } = await request(['pools', pool, how], { method: 'POST', body: { values } });
  return body;
}

/**
 * @typedef {object} ImportReport
 * @property {string} format
 * @property {boolean} done whether values were claimed; otherwise it is a plan
 * @property {number} lines
 * @property {number} claimed values that would be claimed, or were
 * @property {number} held
 * @property {number} skipped
 * @property {number} rejected
 * @property {{line: number, value: string, reason: string}[]} rejections
 */

/**
 * Plans the import of a file, or imports what the plan allows.
 *
 * @param {string} pool
 * @param {string} content
 * @param {boolean} apply
 * @returns {Promise<ImportReport>}
 */
export async function importClaims(pool, content, apply) {
  const { body } = await request(['pools', pool, 'import'], {
    method: 'POST',
    body: { content, ...(apply ? { apply: true, skip_bad: true } : {}) },
    answerMillisMax: IMPORT_MILLIS_MAX,
  });
  return body;
}

/**
 * @typedef {object} PoolChange what a change of settings does, or did
 * @property {boolean} deletes_history
 * @property {{setting: string, before: string, after: string, effect: string}[]} changes
 */

/**
 * @param {string} pool
 * @param {Record<string, unknown>} settings
 * @returns {Promise<PoolChange>}
 */
export async function planChange(pool, settings) {
  const { body } = await request(['pools', pool, 'change-plan'], {
    method: 'POST',
    body: settings,
  });
  return body;
}

/**
 * @param {string} pool
 * @param {Record<string, unknown>} settings
 * @returns {Promise<PoolChange>}
 */
export async function applyChange(pool, settings) {
  const { body } = await request(['pools', pool], { method: 'PATCH', body: settings });
  return body;
}

/** @param {string} pool that a failover has stopped */
export async function resumePool(pool) {
  await request(['pools', pool, 'resume'], { method: 'POST' });
}

/**
 * @param {string} pool
 * @param {boolean} force whether to delete it although values are held
 */
export async function deletePool(pool, force) {
  /** @type {Record<string, string>} */
  const query = force ? { force: 'true' } : {};
  await request(['pools', pool], { method: 'DELETE', query });
}
