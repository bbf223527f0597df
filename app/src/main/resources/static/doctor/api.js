/**
 * The HTTP API as the doctor's view uses it; types follow the schemas of `openapi.json`.
 */
import { request } from '../common/http.js';

/** @typedef {'critical' | 'warning' | 'notice'} Severity */

/**
 * @typedef {object} Finding
 * @property {string} check
 * @property {Severity} severity
 * @property {string} object
 * @property {string} found
 * @property {string} threshold
 * @property {string} remedy
 * @property {number | null} saved_bytes
 * @property {string | null} runs_out a date
 */

/**
 * @typedef {object} Report
 * @property {number} tables
 * @property {Finding[]} findings the worst first
 * @property {{object: string, reason: string}[]} not_looked_at
 * @property {{table: string, reason: string, remedy: string | null}[]} unseen_tables
 */

/**
 * @typedef {object} DoctorState
 * @property {string | null} role
 * @property {string | null} running_since
 * @property {string | null} examined_at
 * @property {string | null} catalog
 * @property {Report | null} report
 * @property {string | null} failure
 */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<DoctorState>}
 */
export async function readDoctor(signal) {
  return (await request(['doctor'], { signal })).body;
}

/** @returns {Promise<DoctorState>} */
export async function runDoctor() {
  return (await request(['doctor'], { method: 'POST' })).body;
}
