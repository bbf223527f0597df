/** The requests about keys, sessions and the audit. */
import { request } from '../common/http.js';

/**
 * @typedef {object} Key
 * @property {string} id
 * @property {string} name
 * @property {string[]} scopes
 * @property {string | null} owner
 * @property {string} created_at
 * @property {string} created_by
 * @property {string | null} expires_at
 * @property {string | null} revoked_at
 * @property {string | null} last_used_at
 */

/**
 * @typedef {object} Session
 * @property {boolean} accounts whether requests need a key
 * @property {Key | null} key
 */

/**
 * @typedef {object} AuditEntry
 * @property {string} id
 * @property {string} at
 * @property {string} actor
 * @property {string} actor_name
 * @property {string} source
 * @property {string} action
 * @property {string} target
 * @property {string} detail
 * @property {string | null} outcome
 * @property {string | null} request_id
 */

/**
 * @typedef {object} AuditFilter
 * @property {string} actor empty for all
 * @property {string} action empty for all
 * @property {string} target empty for all
 * @property {string} request empty for all
 */

/** @returns {Promise<Session>} */
export async function readSession() {
  const { body } = await request(['session']);
  return body;
}

/** @param {string} key the text of a key */
export async function signIn(key) {
  await request(['session'], { method: 'POST', body: { key } });
}

export async function signOut() {
  await request(['session'], { method: 'DELETE' });
}

/** @returns {Promise<Key[]>} */
export async function listKeys() {
  const { body } = await request(['keys']);
  return body.keys;
}

/**
 * @param {{name: string, scopes: string[], owner?: string, expires_at?: string}} wanted
 * @returns {Promise<{text: string, key: Key}>}
 */
export async function createKey(wanted) {
  const { body } = await request(['keys'], { method: 'POST', body: wanted });
  return body;
}

/** @param {string} id */
export async function revokeKey(id) {
  await request(['keys', id], { method: 'DELETE' });
}

/**
 * @param {AuditFilter} filter
 * @param {string} before empty for the first page
 * @param {number} limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<{entries: AuditEntry[], next: string | null}>}
 */
export async function listAudit({ request: request_id, ...others }, before, limit, signal) {
  const given = Object.entries({ ...others, request_id, before }).filter(([, text]) => text);
  const query = { limit, ...Object.fromEntries(given) };
  const { body } = await request(['audit'], signal ? { query, signal } : { query });
  return body;
}
