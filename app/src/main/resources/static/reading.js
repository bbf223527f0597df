import { announce, element } from './dom.js';
import { timeElement } from './time.js';

/**
 * One reading of an identifier. Its text, its bits and its table of fields show the same fields in
 * the same colours and under the same numbers; pointing at a field, or focusing it, in any of the
 * three highlights it in all. A click keeps it highlighted.
 */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {[number, number]} bits half-open, bit 0 is the most significant
 * @property {[number, number]} [text] half-open, into the input; ranges may overlap
 * @property {string | number} value
 * @property {string} [meaning]
 */

/**
 * What a field's name tells of its part, and the hue that this part has in every kind.
 *
 * @type {[RegExp, string][]}
 */
const HUES = [
  [/^ver/, 'orange'],
  [/^var/, 'pink'],
  [/rand|hash|custom|payload|rest/, 'green'],
  [/seq|count|increment|fraction/, 'sky'],
  [/node|mac|shard|machine|worker/, 'vermilion'],
  [/time|ts|sec|epoch/, 'blue'],
];
const SPARE_HUES = ['blue', 'green', 'sky', 'vermilion', 'pink', 'orange', 'grey'];

/** A text too long for its line breaks after a hyphen, or else after as many characters. */
const CHAR_GROUP = /[^-]{1,13}-?|-/g;

/** Longer values have a line of their own, below the others. */
const SHORT_FORM_LENGTH_MAX = 56;

/**
 * @param {string} input
 * @param {any} reading
 * @param {{rank: number, before: string | null}} context `rank` 0 is the most likely reading
 */
export function readingElement(input, reading, { rank, before }) {
  const fields = /** @type {Field[]} */ (reading.fields);
  const hues = huesOf(fields);
  const title = `reading-${rank}`;
  const figure = element('div', { class: 'figure' }, textElement(input, fields, hues, before));
  const bits = bitsElement(reading, hues);
  if (bits) {
    figure.append(bits);
  }
  const made = element(
    'article',
    {
      'class': 'reading',
      'data-testid': 'reading',
      'data-kind': reading.kind,
      'aria-labelledby': title,
    },
    headElement(reading, rank, title),
    warningsElement(reading.warnings ?? []),
    figure,
    fieldsElement(fields, hues),
    formsElement(reading.forms ?? {}, rank === 0),
  );
  linkFields(made, fields.length);
  return made;
}

function headElement(reading, rank, title) {
  const head = element(
    'header',
    { class: 'reading-head' },
    element('h2', { id: title, class: 'punch' }, reading.kind),
    element('p', { class: 'rank' }, rank === 0 ? 'most likely' : 'also reads as'),
  );
  if (reading.time) {
    const time = element('p', { class: 'reading-time' });
    time.append(timeElement(reading.time));
    head.append(time);
  } else {
    head.append(element('p', { class: 'reading-time is-none' }, 'carries no time'));
  }
  head.append(element('p', { 'class': 'reason', 'data-testid': 'reason' }, reading.reason));
  return head;
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
 * The id as it was typed. A character that belongs to two fields shows both colours; one that
 * belongs to more, as each digit of a decimal number does, that of the widest.
 *
 * @param {string} input
 * @param {Field[]} fields
 * @param {string[]} hues
 * @param {string | null} before
 */
function textElement(input, fields, hues, before) {
  const chars = input.split('').map((char, at) => {
    const owners = fields.flatMap(({ text }, i) =>
      text && at >= text[0] && at < text[1] ? [i] : [],
    );
    const shown = owners.length > 2 ? [owners.reduce(widerOf(fields))] : owners;
    const made = part('char', 'text-char', char, { owners, shown, hues });
    if (before !== null && before.length === input.length && before[at] !== char) {
      made.classList.add('is-struck');
    }
    return made;
  });
  anchorFields(
    chars,
    fields,
    ({ text }) => text,
    ([first, end]) =>
      `characters ${first} to ${end - 1}: ${input.slice(first, end).split('').join(' ')}`,
  );
  let at = 0;
  const groups = (input.match(CHAR_GROUP) ?? []).map(({ length }) =>
    element('span', { class: 'char-group', role: 'none' }, ...chars.slice(at, (at += length))),
  );
  const made = element(
    'div',
    {
      'class': 'chars mono',
      'role': 'listbox',
      'aria-label': 'Characters, by field',
      'aria-orientation': 'horizontal',
    },
    ...groups,
  );
  made.style.setProperty('--chars', String(Math.max(26, input.length)));
  return made;
}

/**
 * The bits, a byte to a group with its offset and its hex below; null if the reading has no hex.
 *
 * @param {any} reading
 * @param {string[]} hues
 */
function bitsElement({ fields, forms }, hues) {
  const hex = forms?.hex ?? forms?.uuid?.replaceAll('-', '');
  if (!hex || !/^([0-9a-f]{2})+$/i.test(hex)) {
    return null;
  }
  const bits = [...hex].flatMap((digit, nibble) =>
    [...parseInt(digit, 16).toString(2).padStart(4, '0')].map((bit, i) => {
      const at = nibble * 4 + i;
      const owners = fields.flatMap(({ bits: [first, end] }, f) =>
        at >= first && at < end ? [f] : [],
      );
      const made = part('bit', 'bit', bit, { owners, shown: owners, hues });
      made.classList.toggle('is-one', bit === '1');
      return made;
    }),
  );
  anchorFields(
    bits,
    fields,
    (field) => field.bits,
    ([first, end]) => `bits ${first} to ${end - 1}, the first is ${bits[first].textContent}`,
  );
  const bytes = [];
  for (let at = 0; at < bits.length; at += 8) {
    bytes.push(
      element(
        'span',
        { class: 'byte', role: 'none' },
        element('span', { class: 'byte-bits', role: 'none' }, ...bits.slice(at, at + 8)),
        element(
          'span',
          { 'class': 'byte-foot', 'aria-hidden': 'true' },
          element('span', {}, String(at)),
          element('span', {}, hex.slice(at / 4, at / 4 + 2)),
        ),
      ),
    );
  }
  return element(
    'div',
    {
      'class': 'bits mono',
      'role': 'listbox',
      'aria-label': `${bits.length} bits, by field`,
      'aria-orientation': 'horizontal',
    },
    ...bytes,
  );
}

/** @param {Field[]} fields */
function widerOf(fields) {
  const width = (i) => fields[i].bits[1] - fields[i].bits[0];
  return (a, b) => (width(b) > width(a) ? b : a);
}

/** One character or bit, of the fields that own it and in the colours of those that are shown. */
function part(className, testId, text, { owners, shown, hues }) {
  const made = element(
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
  return made;
}

/**
 * Makes the first part of every field the one that can be focused and that speaks for the field.
 *
 * @param {HTMLElement[]} parts
 * @param {Field[]} fields
 * @param {(field: Field) => [number, number] | undefined} rangeOf
 * @param {(range: [number, number]) => string} describe
 */
function anchorFields(parts, fields, rangeOf, describe) {
  const taken = new Set();
  fields.forEach((field, i) => {
    const range = rangeOf(field);
    if (!range) {
      return;
    }
    const [first, end] = range;
    const anchor = parts.slice(first, end).find((candidate) => !taken.has(candidate));
    if (!anchor) {
      return;
    }
    taken.add(anchor);
    anchor.removeAttribute('aria-hidden');
    anchor.setAttribute('role', 'option');
    anchor.setAttribute('aria-selected', 'false');
    anchor.setAttribute('aria-label', `${field.name}, ${describe(range)}`);
    anchor.dataset.anchor = String(i);
    anchor.dataset.number = String(i + 1);
    anchor.tabIndex = taken.size === 1 ? 0 : -1;
  });
}

/**
 * @param {Field[]} fields
 * @param {string[]} hues
 */
function fieldsElement(fields, hues) {
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
        element('th', { scope: 'col' }, 'Field'),
        element(
          'th',
          { scope: 'col' },
          'Bits ',
          element('span', { class: 'hint' }, '[first, end)'),
        ),
        element(
          'th',
          { scope: 'col' },
          'Value ',
          element('span', { class: 'hint' }, 'and meaning'),
        ),
      ),
    ),
    element(
      'tbody',
      {},
      ...fields.map((field, i) =>
        element(
          'tr',
          { 'data-testid': 'field', 'data-fields': i, 'data-name': field.name },
          element(
            'th',
            { scope: 'row' },
            element(
              'button',
              {
                'type': 'button',
                'class': 'field-name',
                'data-anchor': i,
                'aria-pressed': 'false',
              },
              element(
                'span',
                { 'class': 'swatch', 'data-hue': hues[i], 'aria-hidden': 'true' },
                String(i + 1),
              ),
              field.name,
            ),
          ),
          element(
            'td',
            { class: 'mono nowrap' },
            `[${field.bits[0]}, ${field.bits[1]})`,
            element('span', { class: 'hint' }, ` ${field.bits[1] - field.bits[0]}`),
          ),
          element(
            'td',
            {},
            element('span', { class: 'mono field-value' }, String(field.value)),
            field.meaning ? element('span', { class: 'meaning' }, field.meaning) : null,
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {Record<string, string>} forms
 * @param {boolean} open
 */
function formsElement(forms, open) {
  const isLong = (value) => String(value).length > SHORT_FORM_LENGTH_MAX;
  const ordered = Object.entries(forms).sort(
    ([, a], [, b]) => Number(isLong(a)) - Number(isLong(b)),
  );
  const list = element(
    'dl',
    { class: 'forms' },
    ...ordered.map(([form, value]) => {
      const text = String(value);
      return element(
        'div',
        { class: isLong(value) ? 'form is-long' : 'form' },
        element('dt', {}, form),
        element(
          'dd',
          {},
          element(
            'span',
            { 'class': 'mono form-value', 'data-testid': 'form-value', 'data-form': form },
            text,
          ),
          copyButton(form, text),
        ),
      );
    }),
  );
  return element(
    'details',
    { class: 'forms-box', open },
    element(
      'summary',
      {},
      `Forms `,
      element('span', { class: 'hint' }, String(list.children.length)),
    ),
    list,
  );
}

/**
 * @param {string} form
 * @param {string} text
 */
function copyButton(form, text) {
  const button = element(
    'button',
    {
      'type': 'button',
      'class': 'copy',
      'aria-label': `Copy ${form}`,
      'onclick': async () => {
        const copied = await copy(text);
        button.textContent = copied ? 'Copied' : 'Failed';
        announce(copied ? `${form} copied` : `${form} could not be copied`);
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 1500);
      },
    },
    'Copy',
  );
  return button;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS only localhost has the clipboard; the old way still works there.
    const area = element('textarea', { class: 'visually-hidden', readonly: true });
    /** @type {HTMLTextAreaElement} */ (area).value = text;
    document.body.append(area);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    /** @type {HTMLTextAreaElement} */ (area).select();
    const copied = document.execCommand('copy');
    area.remove();
    focused?.focus();
    return copied;
  }
}

/**
 * Makes the parts of a field light up together.
 *
 * @param {HTMLElement} reading
 * @param {number} count
 */
function linkFields(reading, count) {
  /** @type {HTMLElement[][]} */
  const partsOf = Array.from({ length: count }, () => []);
  for (const made of reading.querySelectorAll('[data-fields]')) {
    const owned = /** @type {HTMLElement} */ (made);
    for (const field of owned.dataset.fields?.split(' ').filter(Boolean) ?? []) {
      partsOf[Number(field)].push(owned);
    }
  }
  /** @type {number | null} */
  let pinned = null;
  /** @type {number | null} */
  let shown = null;

  /** @param {number | null} field */
  function light(field) {
    if (field === shown) {
      return;
    }
    if (shown !== null) {
      mark(shown, false);
    }
    if (field !== null) {
      mark(field, true);
    }
    shown = field;
    reading.classList.toggle('has-lit', field !== null);
  }

  function mark(field, lit) {
    for (const owned of partsOf[field]) {
      owned.classList.toggle('is-lit', lit);
    }
    for (const anchor of reading.querySelectorAll(`[role=option][data-anchor="${field}"]`)) {
      anchor.setAttribute('aria-selected', String(lit));
    }
  }

  function pin(field) {
    pinned = pinned === field ? null : field;
    for (const button of reading.querySelectorAll('.field-name')) {
      const own = Number(/** @type {HTMLElement} */ (button).dataset.anchor) === pinned;
      button.setAttribute('aria-pressed', String(own));
    }
    light(pinned ?? field);
  }

  /** The field an event is about: the narrowest that owns the part, or the one it speaks for. */
  function fieldAt(target) {
    const owned = target.closest?.('[data-fields]');
    const owners = owned?.dataset.fields.split(' ').filter(Boolean).map(Number) ?? [];
    if (owned?.dataset.anchor !== undefined && owners.length > 1) {
      return Number(owned.dataset.anchor);
    }
    owners.sort((a, b) => partsOf[a].length - partsOf[b].length);
    return owners.length ? owners[0] : null;
  }

  const focusedField = () => {
    const anchor = reading.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.anchor
      : undefined;
    return anchor === undefined ? null : Number(anchor);
  };
  const rest = () => light(focusedField() ?? pinned);

  reading.addEventListener('pointerover', (event) => {
    const field = fieldAt(event.target);
    field === null ? rest() : light(field);
  });
  reading.addEventListener('pointerleave', rest);
  reading.addEventListener('focusin', (event) => {
    const anchor = /** @type {HTMLElement} */ (event.target).dataset?.anchor;
    light(anchor === undefined ? pinned : Number(anchor));
  });
  reading.addEventListener('focusout', () => light(pinned));
  reading.addEventListener('click', (event) => {
    const field = fieldAt(event.target);
    if (field !== null) {
      pin(field);
    }
  });
  for (const list of reading.querySelectorAll('[role=listbox]')) {
    list.addEventListener('keydown', (event) =>
      stepThrough(list, /** @type {KeyboardEvent} */ (event), pin),
    );
  }
}

/**
 * The arrow keys step through the fields of a listbox, of which one is in the order of Tab.
 *
 * @param {Element} list
 * @param {KeyboardEvent} event
 * @param {(field: number) => void} pin
 */
function stepThrough(list, event, pin) {
  const options = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=option]')]);
  const at = options.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) {
    return;
  }
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    pin(Number(options[at].dataset.anchor));
    return;
  }
  const to = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: options.length - 1,
  }[event.key];
  if (to === undefined) {
    return;
  }
  event.preventDefault();
  const next = options[Math.max(0, Math.min(options.length - 1, to))];
  options[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** @param {Field[]} fields */
function huesOf(fields) {
  const used = new Set();
  return fields.map(({ name }) => {
    const own = HUES.find(([pattern]) => pattern.test(name))?.[1];
    const hue =
      own && !used.has(own) ? own : (SPARE_HUES.find((spare) => !used.has(spare)) ?? 'grey');
    used.add(hue);
    return hue;
  });
}
