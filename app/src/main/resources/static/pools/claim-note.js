/**
 * What people write about a claim, as text in a form: one label a line.
 *
 * @import {ClaimNote} from './api.js'
 */

/**
 * The labels as lines of `key:value`.
 *
 * @param {ClaimNote} note
 */
export function labelLines({ labels }) {
  return Object.entries(labels)
    .map(([key, value]) => `${key}:${value}`)
    .join('\n');
}

/**
 * The note that was typed. Empty lines are left out.
 *
 * @param {string} lines of labels
 * @param {string} dnsName
 * @param {string} description
 * @returns {{labels: Record<string, string>, dns_name?: string, description?: string}}
 */
export function typedNote(lines, dnsName, description) {
  /** @type {[string, string][]} */
  const labels = [];
  for (const line of lines.split('\n').map((text) => text.trim())) {
    if (line) {
      const colon = line.indexOf(':');
      if (colon < 0) {
        throw new Error(`“${line}”: expected key:value`);
      }
      labels.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  const repeated = labels.find(([key], at) => labels.findIndex(([other]) => other === key) < at);
  if (repeated) {
    throw new Error(`The key “${repeated[0]}” is there twice.`);
  }
  return {
    labels: Object.fromEntries(labels),
    ...(dnsName.trim() ? { dns_name: dnsName.trim() } : {}),
    ...(description.trim() ? { description: description.trim() } : {}),
  };
}

/**
 * A note on one line; empty if nothing is written.
 *
 * @param {ClaimNote | null} note
 */
export function noteText(note) {
  if (!note) {
    return '';
  }
  const labels = Object.entries(note.labels).map(([key, value]) => `${key}:${value}`);
  return [...labels, note.dns_name, note.description].filter((text) => text).join(' · ');
}
