import { element, textInput } from '../common/dom.js';

/**
 * By what claims are searched for. Each has its parameter in the HTTP API.
 *
 * @typedef {'client' | 'owner' | 'label'} Criterion
 * @typedef {{by: Criterion, text: string}} Search an empty text finds all claims
 */

/** @type {Search} */
export const ALL_CLAIMS = { by: 'client', text: '' };

/** @type {Record<Criterion, string>} */
const NAMES = {
  client: 'Client begins with',
  owner: 'Owner begins with',
  label: 'Label begins with',
};

/**
 * The query parameters of a search. A label without a colon is a key with any value.
 *
 * @param {Search} search
 * @returns {Record<string, string>}
 */
export function queryOf({ by, text }) {
  if (text === '') {
    return {};
  }
  const isKey = by === 'label' && !text.includes(':');
  return { [`${by}_prefix`]: isKey ? `${text}:` : text };
}

/**
 * Says what was searched for, after "No claim".
 *
 * @param {Search} search
 */
export function describeSearch({ by, text }) {
  return text === '' ? '' : ` with a${by === 'owner' ? 'n' : ''} ${by} that begins with “${text}”`;
}

/** Inputs that say which claims to find. They belong in a form. */
export class ClaimFinder {
  #by;
  #text;
  /** The inputs, one after the other. */
  inputs;

  /**
   * @param {string} id of the input for the text
   * @param {() => void} onClear the text was deleted
   */
  constructor(id, onClear) {
    this.#by = element(
      'select',
      { 'id': `${id}-by`, 'data-testid': `${id}-by`, 'aria-label': 'Find by' },
      ...Object.entries(NAMES).map(([value, name]) => element('option', { value }, name)),
    );
    this.#text = textInput(id, 'any');
    this.#text.setAttribute('aria-label', 'Text to find');
    this.#text.addEventListener('input', () => this.#text.value === '' && onClear());
    this.inputs = [this.#by, this.#text];
  }

  /** @returns {Search} */
  get search() {
    const by = /** @type {Criterion} */ (this.#by.value);
    return { by, text: this.#text.value.trim() };
  }

  /** Empties the text, for another pool. */
  reset() {
    this.#text.value = '';
  }
}
