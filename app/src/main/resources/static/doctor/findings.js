/** @import {Finding, Report, Severity} from './api.js' */

/** @type {Severity[]} the worst first */
export const SEVERITIES = ['critical', 'warning', 'notice'];

/** How the statements of a remedy begin. */
const STATEMENT =
  /^(?:alter|analyze|begin|comment|create|delete|drop|grant|insert|reindex|select|set|update|vacuum)\s/i;

/**
 * The findings of some severities whose table, check or text contains a text.
 *
 * @param {Finding[]} findings
 * @param {Set<Severity>} severities
 * @param {string} text
 */
export function filtered(findings, severities, text) {
  const wanted = text.trim().toLowerCase();
  return findings.filter(
    (finding) =>
      severities.has(finding.severity) &&
      [finding.object, finding.check].some((part) => part.toLowerCase().includes(wanted)),
  );
}

/**
 * How many findings have each severity.
 *
 * @param {Finding[]} findings
 * @returns {Record<Severity, number>}
 */
export function countBySeverity(findings) {
  const counts = { critical: 0, warning: 0, notice: 0 };
  for (const { severity } of findings) {
    counts[severity]++;
  }
  return counts;
}

/**
 * Splits a remedy into words and SQL: statements are the whole remedy, or follow the first colon and
 * space (docs/doctor.md).
 *
 * @param {string} remedy
 * @returns {{text: string, sql: string}} `sql` is empty if the remedy is no SQL
 */
export function splitRemedy(remedy) {
  const colon = remedy.indexOf(': ');
  const rest = remedy.slice(colon + 2);
  if (colon >= 0 && STATEMENT.test(rest)) {
    return { text: remedy.slice(0, colon), sql: script(rest) };
  }
  return STATEMENT.test(remedy) && colon < 0
    ? { text: '', sql: script(remedy) }
    : { text: remedy, sql: '' };
}

/**
 * A statement a line, each with its semicolon.
 *
 * @param {string} statements
 */
function script(statements) {
  return `${statements.replaceAll('; ', ';\n').replace(/;\s*$/, '')};`;
}

/**
 * What the report says in one sentence. What was not looked at is never called healthy.
 *
 * @param {Report} report
 */
export function summaryOf(report) {
  const tables = plural(report.tables, 'table');
  const unseen = report.unseen_tables.length + report.not_looked_at.length;
  const unseenText = unseen === 0 ? '' : ` ${unseen} not looked at.`;
  if (isBlind(report)) {
    return `The role can read none of ${tables}, so this report says little.${unseenText}`;
  }
  const counts = countBySeverity(report.findings);
  const found = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  if (found.length > 0) {
    return `${tables}: ${found.join(', ')}.${unseenText}`;
  }
  return unseen === 0
    ? `No finding in ${tables}.`
    : `No finding in what the role can read of ${tables}.${unseenText}`;
}

/**
 * Whether there are tables, and the values of none could be read.
 *
 * @param {Report} report
 */
export function isBlind({ tables, unseen_tables: unseen }) {
  return unseen.length > 0 && unseen.filter(({ remedy }) => remedy !== null).length === tables;
}

/**
 * @param {number} count
 * @param {string} noun
 */
function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
