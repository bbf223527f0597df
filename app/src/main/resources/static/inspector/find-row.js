import { button, element } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { findRows, searchable } from './api.js';

/** @import {RowAnswer, RowValue, SearchableCollection} from './api.js' */

/** Characters of a value that are shown before it is opened. */
const VALUE_SHOWN_MAX = 120;

/** Names of collections that a sentence lists. */
const NAMES_SHOWN_MAX = 8;

/** @type {Promise<SearchableCollection[]> | null} */
let known = null;

/** The collections that may be searched, asked for once, and again after a failure. */
function knownCollections() {
  known ??= searchable().catch(() => {
    known = null;
    return [];
  });
  return known;
}

/**
 * Adds the action that finds the row of an identifier to its most likely reading, if a collection
 * may be searched.
 *
 * @param {string} id
 * @param {HTMLElement} readings
 */
export async function offerToFind(id, readings) {
  const place = readings.firstElementChild;
  const collections = await knownCollections();
  if (collections.length > 0 && place?.isConnected) {
    const { root } = new FindRow(id, collections);
    const figure = place.querySelector('.figure');
    if (figure) {
      figure.before(root);
    } else {
      place.after(root);
    }
  }
}

/** Finds the row of one identifier when it is asked to, and shows what each collection answered. */
class FindRow {
  #id;
  #answers = element('div', { 'class': 'row-answers', 'data-testid': 'row-answers' });
  #status = element('p', { 'class': 'row-status', 'role': 'status', 'data-testid': 'row-status' });
  #button = button('find-row', 'Find the row', () => this.#find());

  /**
   * @param {string} id
   * @param {SearchableCollection[]} collections
   */
  constructor(id, collections) {
    this.#id = id;
    this.root = element(
      'section',
      { 'class': 'find-row', 'aria-label': 'Row' },
      element(
        'p',
        { class: 'find-row-acts' },
        this.#button,
        element(
          'span',
          { class: 'hint' },
          `in ${listed(collections.map(({ collection }) => collection))}`,
        ),
      ),
      this.#status,
      this.#answers,
    );
  }

  async #find() {
    if (this.root.getAttribute('aria-busy') === 'true') {
      return;
    }
    this.root.setAttribute('aria-busy', 'true');
    this.#status.textContent = 'Looking for the row…';
    this.#answers.replaceChildren();
    try {
      const answers = await findRows(this.#id);
      this.#status.textContent = summary(answers);
      this.#answers.replaceChildren(...answers.flatMap(answerElements));
    } catch (error) {
      this.#status.textContent = '';
      this.#answers.replaceChildren(
        element(
          'p',
          { class: 'notice is-error', role: 'alert' },
          `${/** @type {Error} */ (error).message} `,
          button('find-row-retry', 'Try again', () => this.#retry()),
        ),
      );
    } finally {
      this.root.removeAttribute('aria-busy');
    }
  }

  /** The button that was pressed is gone, so the first one gets the focus. */
  #retry() {
    this.#button.focus();
    this.#find();
  }
}

/**
 * The first names of a list, and how many others there are.
 *
 * @param {string[]} names
 */
function listed(names) {
  const others = names.length - NAMES_SHOWN_MAX;
  return others <= 1
    ? names.join(', ')
    : `${names.slice(0, NAMES_SHOWN_MAX).join(', ')} and ${counted(others)} others`;
}

/** @param {RowAnswer[]} answers */
export function summary(answers) {
  const named = (/** @type {RowAnswer['outcome']} */ outcome) =>
    answers.filter((answer) => answer.outcome === outcome).map(({ collection }) => collection);
  const found = named('found');
  const none = named('none');
  const unseen = named('not_looked_at');
  const parts = [
    found.length > 0 ? `Found in ${listed(found)}.` : '',
    none.length > 0 ? `No row in ${listed(none)}.` : '',
    unseen.length > 0 ? `Not looked at: ${listed(unseen)}.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** @param {RowAnswer} answer */
function answerElements(answer) {
  switch (answer.outcome) {
    case 'found':
      return [foundElement(answer)];
    case 'not_looked_at':
      return [unseenElement(answer)];
    default:
      return [];
  }
}

/** @param {RowAnswer} answer */
function foundElement({ collection, rows, more }) {
  const count = `${counted(rows.length)} row${rows.length === 1 ? '' : 's'}`;
  return element(
    'details',
    { 'class': 'row-answer', 'data-testid': 'row-found', 'open': true },
    element(
      'summary',
      {},
      element('strong', {}, collection),
      ` ${more ? `more than ${count}, the first of them` : count}`,
    ),
    ...rows.map(({ values }, at) =>
      element(
        'table',
        { class: 'row-values' },
        element(
          'caption',
          { class: 'visually-hidden' },
          rows.length === 1 ? `Row of ${collection}` : `Row ${at + 1} of ${collection}`,
        ),
        element(
          'thead',
          { class: 'visually-hidden' },
          element(
            'tr',
            {},
            element('th', { scope: 'col' }, 'Column'),
            element('th', { scope: 'col' }, 'Value'),
          ),
        ),
        element('tbody', {}, ...values.map(valueRow)),
      ),
    ),
  );
}

/** @param {RowValue} value */
function valueRow({ column, text, cut }) {
  return element(
    'tr',
    { 'data-testid': 'row-value' },
    element('th', { scope: 'row' }, column),
    element('td', { class: 'mono' }, valueElement(text, cut)),
  );
}

/**
 * @param {string | null} text
 * @param {boolean} isCut whether the server has cut it
 */
function valueElement(text, isCut) {
  if (text === null) {
    return element('span', { class: 'row-null' }, 'null');
  }
  const characters = [...text];
  if (characters.length <= VALUE_SHOWN_MAX && !isCut) {
    return text === '' ? element('span', { class: 'row-null' }, 'empty text') : text;
  }
  const size = counted(characters.length);
  return element(
    'details',
    {},
    element(
      'summary',
      {},
      `${characters.slice(0, VALUE_SHOWN_MAX).join('')}… `,
      element(
        'span',
        { class: 'hint' },
        isCut ? `the first ${size} characters` : `${size} characters`,
      ),
    ),
    element('div', { class: 'row-long' }, isCut ? `${text}…` : text),
  );
}

/** What is said of the reasons that people meet most; the detail says the rest. */
const REASONS = new Map([
  ['timed_out', 'timed out'],
  ['out_of_time', 'timed out'],
  ['locked', 'locked'],
]);

/** @param {RowAnswer} answer */
function unseenElement({ collection, reason, detail }) {
  return element(
    'details',
    { 'class': 'row-answer is-unseen', 'data-testid': 'row-unseen', 'data-reason': reason },
    element(
      'summary',
      {},
      element('strong', {}, collection),
      ` ${REASONS.get(reason ?? '') ?? 'not looked at'}`,
    ),
    element('p', {}, `It is not known whether there is such a row: ${detail}.`),
  );
}
