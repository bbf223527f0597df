/** @import {AuditEntry} from './api.js' */

/** @type {(keyof AuditEntry)[]} as `mintmark audit --csv` prints them */
const COLUMNS = [
  'id',
  'at',
  'actor',
  'actor_name',
  'source',
  'action',
  'target',
  'detail',
  'outcome',
  'request_id',
];

/**
 * Entries of the audit as CSV (RFC 4180), with a header.
 *
 * @param {AuditEntry[]} entries
 */
export function csvOf(entries) {
  const rows = entries.map((entry) => COLUMNS.map((name) => field(entry[name] ?? '')).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\n');
}

/**
 * A spreadsheet runs a text that begins with one of = + - @ as a formula, so a quote precedes it.
 *
 * @param {string} text
 */
function field(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
