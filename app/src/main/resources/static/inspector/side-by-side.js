import { button, element } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { distance, ordersOf } from './differences.js';
import { another } from './minting.js';
import { PARTS, hexOf, huesOf, partOf } from './parts.js';
import { promiseText } from './promises.js';
import { idLine } from './reading-figure.js';

/** @import {Inspection, Reading, ReadingField} from './api.js' */

/** More columns would be too narrow to read. */
export const COMPARED_MAX = 6;

/**
 * @typedef {object} Acts what the buttons of an id do; `at` is its place
 * @property {(at: number) => void} regenerate
 * @property {(at: number) => void} open shows this id alone
 * @property {(at: number) => void} remove
 */

/**
 * One of the ids that are compared, by its likeliest reading.
 *
 * @typedef {object} Side
 * @property {string} letter
 * @property {Inspection} inspection
 * @property {Reading | null} reading
 */

/**
 * Several identifiers one below the other, what lies between them, and their fields side by side.
 *
 * @param {Inspection[]} inspections at least two
 * @param {Acts} acts
 */
export function comparisonElement(inspections, acts) {
  const sides = inspections.map((inspection, at) => ({
    letter: String.fromCharCode('A'.charCodeAt(0) + at),
    inspection,
    reading: inspection.readings[0] ?? null,
  }));
  return element(
    'article',
    { 'class': 'comparison', 'data-testid': 'comparison', 'aria-labelledby': 'comparison-title' },
    element('h2', { id: 'comparison-title' }, `${sides.length} identifiers side by side`),
    element(
      'ol',
      { class: 'compared', role: 'list' },
      ...sides.map((side, at) => comparedElement(side, at, sides[at - 1] ?? null, acts)),
    ),
    ordersElement(sides),
    fieldsTable(sides),
    promisesElement(sides),
  );
}

/**
 * @param {Side} side
 * @param {number} at
 * @param {Side | null} before
 * @param {Acts} acts
 */
function comparedElement({ letter, inspection, reading }, at, before, acts) {
  const { input } = inspection;
  const fields = reading?.fields ?? [];
  const line = idLine(input, fields, huesOf(fields));
  if (before) {
    markChanged(line, input, before.inspection.input);
  }
  return element(
    'li',
    { 'class': 'compared-id', 'data-testid': 'compared', 'data-kind': reading?.kind ?? '' },
    element('span', { class: 'letter' }, letter),
    line,
    element('span', { class: 'compared-kind' }, reading?.kind ?? 'not recognised'),
    element(
      'span',
      { class: 'compared-acts' },
      another(inspection)
        ? act('regenerate-side', 'Regenerate', letter, () => acts.regenerate(at))
        : null,
      act('open-side', 'Open', letter, () => acts.open(at)),
      act('remove-side', 'Remove', letter, () => acts.remove(at)),
    ),
    inspection.nearest_miss
      ? element('span', { class: 'compared-miss' }, inspection.nearest_miss)
      : null,
  );
}

/**
 * @param {string} testId
 * @param {string} name
 * @param {string} letter
 * @param {() => void} onclick
 */
function act(testId, name, letter, onclick) {
  const made = button(testId, name, onclick);
  made.setAttribute('aria-label', `${name} ${letter}`);
  return made;
}

/**
 * Underlines the characters that differ from those of another id of the same length.
 *
 * @param {HTMLElement} line
 * @param {string} input
 * @param {string} before
 */
function markChanged(line, input, before) {
  if (input.length === before.length) {
    line.querySelectorAll('.char').forEach((char, at) => {
      char.classList.toggle('is-changed', input[at] !== before[at]);
    });
  }
}

/** @param {Side[]} sides */
function ordersElement(sides) {
  const ids = sides.map(({ letter, inspection, reading }) => ({
    name: letter,
    text: inspection.input,
    hex: reading && hexOf(reading),
    time: reading?.time ?? null,
  }));
  return element(
    'dl',
    { 'class': 'orders', 'aria-label': 'Order' },
    ...ordersOf(ids).map(({ by, order }) =>
      element(
        'div',
        { 'data-testid': 'order', 'data-by': by },
        element('dt', {}, `By ${by.toLowerCase()}`),
        element('dd', {}, order),
      ),
    ),
  );
}

/** @param {Side[]} sides */
function fieldsTable(sides) {
  const parts = PARTS.filter(({ name }) =>
    sides.some(({ reading }) => fieldsOf(reading, name).length > 0),
  );
  return element(
    'table',
    { class: 'sides', role: 'table' },
    element('caption', { class: 'visually-hidden' }, 'Fields side by side'),
    element(
      'thead',
      { role: 'rowgroup' },
      element(
        'tr',
        { role: 'row' },
        element('th', { scope: 'col', role: 'columnheader' }, 'Part'),
        ...sides.map(({ letter, reading }) =>
          element(
            'th',
            { scope: 'col', role: 'columnheader' },
            `${letter} `,
            element('span', { class: 'hint' }, reading?.kind ?? 'not recognised'),
          ),
        ),
      ),
    ),
    element(
      'tbody',
      { role: 'rowgroup' },
      row('When', null, sides, (side) => timeContent(side, sides[0])),
      ...parts.map(({ name, hue }) =>
        row(name, hue, sides, (side) =>
          fieldsOf(side.reading, name).map((field) => fieldElement(field, side, sides[0])),
        ),
      ),
    ),
  );
}

/**
 * @param {string} name
 * @param {string | null} hue
 * @param {Side[]} sides
 * @param {(side: Side) => (Node | string)[]} contentOf
 */
function row(name, hue, sides, contentOf) {
  const swatch = hue
    ? element('span', { 'class': 'part-swatch', 'data-hue': hue, 'aria-hidden': 'true' })
    : null;
  return element(
    'tr',
    { 'role': 'row', 'data-testid': 'part', 'data-name': name },
    element('th', { scope: 'row', role: 'rowheader' }, swatch, name),
    ...sides.map((side) => {
      const content = contentOf(side);
      return element(
        'td',
        { 'role': 'cell', 'data-letter': side.letter },
        ...(content.length > 0 ? content : [element('span', { class: 'hint' }, 'none')]),
      );
    }),
  );
}

/**
 * @param {Side} side
 * @param {Side} first
 */
function timeContent(side, first) {
  const time = side.reading?.time;
  if (!time) {
    return [];
  }
  const words = side === first ? '' : distance(time, first.reading?.time, first.letter);
  const from = words
    ? [element('span', { 'class': 'meaning', 'data-testid': 'distance' }, words)]
    : [];
  return [timeElement(time), ...from];
}

/**
 * @param {Reading | null} reading
 * @param {string} part
 */
function fieldsOf(reading, part) {
  return (reading?.fields ?? []).filter((field) => partOf(field).name === part);
}

/**
 * @param {ReadingField} field
 * @param {Side} side
 * @param {Side} first
 */
function fieldElement(field, side, first) {
  const [from, end] = field.bits;
  const twin = first.reading?.fields.find(({ name }) => name === field.name);
  const isSame = side !== first && twin !== undefined && twin.value === field.value;
  return element(
    'div',
    { 'class': 'side-field', 'data-testid': 'side-field', 'data-field': field.name },
    element(
      'span',
      { class: 'side-name' },
      `${field.name} `,
      element('span', { class: 'hint mono' }, `[${from}, ${end})`),
    ),
    element('span', { class: 'mono side-value' }, String(field.value)),
    isSame ? element('span', { class: 'meaning' }, `as in ${first.letter}`) : null,
  );
}

/** @param {Side[]} sides */
function promisesElement(sides) {
  const kinds = [...new Set(sides.map(({ reading }) => reading?.kind ?? ''))];
  const known = kinds.filter((kind) => promiseText(kind) !== '');
  return known.length === 0
    ? null
    : element(
        'dl',
        { 'class': 'promises', 'aria-label': 'What each kind promises' },
        ...known.map((kind) =>
          element(
            'div',
            { 'data-testid': 'promise', 'data-kind': kind },
            element('dt', {}, kind),
            element('dd', {}, promiseText(kind)),
          ),
        ),
      );
}
