import { element } from '../common/dom.js';
import { bitsElement, charactersElement } from './reading-figure.js';
import { formsElement } from './reading-forms.js';
import { FieldHighlight } from './reading-highlight.js';
import { huesOf } from './parts.js';
import { timeElement } from '../common/time.js';

/** @import {ReadingField, Reading} from './api.js' */

/**
 * One reading of an identifier. Its characters, its bits and its table of fields show the same
 * fields in the same colours and with the same numbers.
 *
 * @param {string} input
 * @param {Reading} reading
 * @param {{rank: number, before: string | null}} context `rank` 0 is the most likely reading;
 *   `before` is the id that this one replaces
 */
export function readingElement(input, reading, { rank, before }) {
  const { fields, kind } = reading;
  const hues = huesOf(fields);
  const title = `reading-${rank}`;
  const made = element(
    'article',
    { 'class': 'reading', 'data-testid': 'reading', 'data-kind': kind, 'aria-labelledby': title },
    headElement(reading, rank, title),
    warningsElement(reading.warnings ?? []),
    element(
      'div',
      { class: 'figure' },
      charactersElement(input, fields, hues, before),
      bitsElement(reading, hues),
    ),
    fieldsElement(fields, hues),
    formsElement(reading.forms ?? {}, rank === 0),
  );
  new FieldHighlight(made, fields.length).start();
  return made;
}

/**
 * @param {Reading} reading
 * @param {number} rank
 * @param {string} title the id of the heading
 */
function headElement({ kind, time, reason }, rank, title) {
  return element(
    'header',
    { class: 'reading-head' },
    element('h2', { id: title, class: 'punch' }, kind),
    element('p', { class: 'rank' }, rank === 0 ? 'most likely' : 'also matches'),
    time
      ? element('p', { class: 'reading-time' }, timeElement(time))
      : element('p', { class: 'reading-time is-none' }, 'no timestamp'),
    element('p', { 'class': 'reason', 'data-testid': 'reason' }, reason),
  );
}

/** @param {string[]} warnings */
function warningsElement(warnings) {
  return warnings.length === 0
    ? null
    : element(
        'ul',
        { 'class': 'warnings', 'aria-label': 'Warnings' },
        ...warnings.map((warning) => element('li', { 'data-testid': 'warning' }, warning)),
      );
}

/**
 * @param {ReadingField[]} fields
 * @param {string[]} hues
 */
function fieldsElement(fields, hues) {
  const heading = (/** @type {string} */ name, /** @type {string} */ hint = '') =>
    element('th', { scope: 'col' }, name, hint ? element('span', { class: 'hint' }, hint) : null);
  return element(
    'table',
    { class: 'fields' },
    element('caption', { class: 'visually-hidden' }, 'Fields'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        heading('Field'),
        heading('Bits ', '[first, end)'),
        heading('Value ', 'and meaning'),
      ),
    ),
    element('tbody', {}, ...fields.map((field, at) => fieldRow(field, at, hues[at]))),
  );
}

/**
 * @param {ReadingField} field
 * @param {number} at
 * @param {string} hue
 */
function fieldRow({ name, bits: [first, end], value, meaning }, at, hue) {
  const button = element(
    'button',
    { 'type': 'button', 'class': 'field-name', 'data-anchor': at, 'aria-pressed': 'false' },
    element('span', { 'class': 'swatch', 'data-hue': hue, 'aria-hidden': 'true' }, String(at + 1)),
    name,
  );
  return element(
    'tr',
    { 'data-testid': 'field', 'data-fields': at, 'data-name': name },
    element('th', { scope: 'row' }, button),
    element(
      'td',
      { class: 'mono nowrap' },
      `[${first}, ${end})`,
      element('span', { class: 'hint' }, ` ${end - first}`),
    ),
    element(
      'td',
      {},
      element('span', { class: 'mono field-value' }, String(value)),
      meaning ? element('span', { class: 'meaning' }, meaning) : null,
    ),
  );
}
