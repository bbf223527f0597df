import { element } from '../common/dom.js';
import { hexOf } from './parts.js';

/** @import {ReadingField, Range, Reading} from './api.js' */

/** A text too long for its line breaks after a hyphen, or else after this many characters. */
const CHAR_GROUP = /[^-]{1,13}-?|-/g;
/** Shorter texts are not written larger. */
const CHARS_MIN = 26;
const BITS_A_BYTE = 8;

/**
 * The id as it was typed. A character of two fields shows both colours. A character of more, as each
 * digit of a decimal number is, shows that of the widest.
 *
 * @param {string} input
 * @param {ReadingField[]} fields
 * @param {string[]} hues
 * @param {string | null} before the id that this one replaces: what differs is animated
 */
export function charactersElement(input, fields, hues, before) {
  const chars = characterElements(input, fields, hues);
  chars.forEach((char, at) => {
    const isNew = before !== null && before.length === input.length && before[at] !== input[at];
    char.classList.toggle('is-struck', isNew);
  });
  makeAnchors(
    chars,
    fields,
    ({ text }) => text,
    ([first, end]) =>
      `characters ${first} to ${end - 1}: ${input.slice(first, end).split('').join(' ')}`,
  );
  const made = listbox('chars', 'Characters, by field', groupsOf(input, chars));
  made.style.setProperty('--chars', String(Math.max(CHARS_MIN, input.length)));
  return made;
}

/**
 * The id in a line, below or above others. Screen readers read it as one text.
 *
 * @param {string} input
 * @param {ReadingField[]} fields
 * @param {string[]} hues
 */
export function idLine(input, fields, hues) {
  const chars = characterElements(input, fields, hues);
  return element(
    'span',
    { class: 'id-line mono' },
    element('span', { class: 'visually-hidden' }, input),
    ...groupsOf(input, chars),
  );
}

/**
 * @param {string} input
 * @param {ReadingField[]} fields
 * @param {string[]} hues
 */
function characterElements(input, fields, hues) {
  return input.split('').map((char, at) => {
    const owners = ownersOf(fields, ({ text }) => text, at);
    const shown = owners.length > 2 ? [widestOf(fields, owners)] : owners;
    return partElement('char', 'text-char', char, { owners, shown, hues });
  });
}

/**
 * @param {string} input
 * @param {HTMLElement[]} chars
 */
function groupsOf(input, chars) {
  let at = 0;
  return (input.match(CHAR_GROUP) ?? []).map(({ length }) =>
    element('span', { class: 'char-group', role: 'none' }, ...chars.slice(at, (at += length))),
  );
}

/**
 * The bits in groups of a byte, with the offset and the hex digits below.
 *
 * @param {Reading} reading
 * @param {string[]} hues
 * @returns {HTMLElement | null} null if the reading has no hex form
 */
export function bitsElement(reading, hues) {
  const { fields } = reading;
  const hex = hexOf(reading);
  if (hex === null) {
    return null;
  }
  const bits = bitsOf(hex).map((bit, at) => {
    const owners = ownersOf(fields, (field) => field.bits, at);
    const made = partElement('bit', 'bit', bit, { owners, shown: owners, hues });
    made.classList.toggle('is-one', bit === '1');
    return made;
  });
  makeAnchors(
    bits,
    fields,
    (field) => field.bits,
    ([first, end]) => `bits ${first} to ${end - 1}, the first is ${bits[first].textContent}`,
  );
  const bytes = [];
  for (let at = 0; at < bits.length; at += BITS_A_BYTE) {
    bytes.push(byteElement(bits.slice(at, at + BITS_A_BYTE), at, hex.slice(at / 4, at / 4 + 2)));
  }
  return listbox('bits', `${bits.length} bits, by field`, bytes);
}

/** @param {string} hex */
function bitsOf(hex) {
  return [...hex].flatMap((digit) => [...parseInt(digit, 16).toString(2).padStart(4, '0')]);
}

/**
 * @param {HTMLElement[]} bits
 * @param {number} offset
 * @param {string} hex
 */
function byteElement(bits, offset, hex) {
  return element(
    'span',
    { class: 'byte', role: 'none' },
    element('span', { class: 'byte-bits', role: 'none' }, ...bits),
    element(
      'span',
      { 'class': 'byte-foot', 'aria-hidden': 'true' },
      element('span', {}, String(offset)),
      element('span', {}, hex),
    ),
  );
}

/**
 * @param {string} className
 * @param {string} label
 * @param {HTMLElement[]} children
 */
function listbox(className, label, children) {
  return element(
    'div',
    {
      'class': `${className} mono`,
      'role': 'listbox',
      'aria-label': label,
      'aria-orientation': 'horizontal',
    },
    ...children,
  );
}

/**
 * @param {ReadingField[]} fields
 * @param {(field: ReadingField) => Range | undefined} rangeOf
 * @param {number} at
 * @returns {number[]} the indexes of the fields that a part belongs to
 */
function ownersOf(fields, rangeOf, at) {
  return fields.flatMap((field, index) => {
    const range = rangeOf(field);
    return range && at >= range[0] && at < range[1] ? [index] : [];
  });
}

/**
 * @param {ReadingField[]} fields
 * @param {number[]} owners
 */
function widestOf(fields, owners) {
  const width = (/** @type {number} */ at) => fields[at].bits[1] - fields[at].bits[0];
  return owners.reduce((a, b) => (width(b) > width(a) ? b : a));
}

/**
 * One character or bit, with the fields it belongs to and the colours of those that are shown.
 *
 * @param {string} className
 * @param {string} testId
 * @param {string} text
 * @param {{owners: number[], shown: number[], hues: string[]}} fields
 */
function partElement(className, testId, text, { owners, shown, hues }) {
  return element(
    'span',
    {
      'class': className,
      'data-testid': testId,
      'data-fields': owners.join(' '),
      'data-hue': shown.length > 0 ? hues[shown[0]] : null,
      'data-second-hue': shown.length > 1 ? hues[shown[1]] : null,
      'aria-hidden': 'true',
    },
    text,
  );
}

/**
 * Makes the first free part of every field its anchor: it can have the focus, and screen readers
 * read it for the whole field.
 *
 * @param {HTMLElement[]} parts
 * @param {ReadingField[]} fields
 * @param {(field: ReadingField) => Range | undefined} rangeOf
 * @param {(range: Range) => string} describe
 */
function makeAnchors(parts, fields, rangeOf, describe) {
  const taken = new Set();
  fields.forEach((field, at) => {
    const range = rangeOf(field);
    const anchor = range && parts.slice(...range).find((part) => !taken.has(part));
    if (!anchor) {
      return;
    }
    taken.add(anchor);
    anchor.removeAttribute('aria-hidden');
    anchor.setAttribute('role', 'option');
    anchor.setAttribute('aria-selected', 'false');
    anchor.setAttribute('aria-label', `${field.name}, ${describe(range)}`);
    anchor.dataset.anchor = String(at);
    anchor.dataset.number = String(at + 1);
    anchor.tabIndex = taken.size === 1 ? 0 : -1;
  });
}
