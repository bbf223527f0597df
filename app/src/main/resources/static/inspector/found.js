import { button, element } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { timeElement } from '../common/time.js';
import { readingElement } from './reading.js';
import { placeOf, segmentsOf } from './segments.js';
import { COMPARED_MAX } from './side-by-side.js';

/** @import {FoundId, TextInspection} from './api.js' */

/**
 * A text with the identifiers that were found in it, a table of them, and the readings of the one
 * that is selected.
 */
export class Found {
  #inspection;
  #acts;
  /** @type {HTMLButtonElement[]} those of the text, by the index of what was found */
  #marks = [];
  /** @type {HTMLTableRowElement[]} */
  #rows = [];
  #readings = element('div', { class: 'readings', id: 'found-readings' });
  /** The identifiers to compare, in the order in which they were chosen. @type {number[]} */
  #chosen = [];
  #compare = button('compare-found', '', () =>
    this.#acts.show(this.#chosen.map((at) => this.#inspection.ids[at].text)),
  );
  #selected = -1;

  /**
   * @param {string} text
   * @param {TextInspection} inspection of which there is at least one identifier
   * @param {{show: (ids: string[]) => void}} acts `show` leaves the text and shows ids
   */
  constructor(text, inspection, acts) {
    this.#inspection = inspection;
    this.#acts = acts;
    const { ids, truncated } = inspection;
    this.root = element(
      'article',
      { 'class': 'found', 'data-testid': 'found', 'aria-labelledby': 'found-title' },
      element('h2', { id: 'found-title' }, foundText(ids.length)),
      truncated
        ? element(
            'p',
            { 'class': 'notice', 'data-testid': 'truncated' },
            `The text has more than ${counted(ids.length)} identifiers: these are the first.`,
          )
        : null,
      this.#textElement(text),
      element('p', { class: 'found-acts' }, this.#compare),
      this.#tableElement(),
      this.#readings,
    );
    this.#showChosen();
    this.#select(0);
  }

  /** @param {string} text */
  #textElement(text) {
    const shown = segmentsOf(text, this.#inspection.ids).map((segment) => {
      if ('omitted' in segment) {
        const count = `… ${counted(segment.omitted)} characters …`;
        return element('span', { class: 'omitted' }, count);
      }
      return 'mark' in segment ? this.#markElement(segment.text, segment.mark) : segment.text;
    });
    const made = element(
      'div',
      {
        'class': 'found-text mono',
        'data-testid': 'found-text',
        'role': 'group',
        'aria-label': 'The text, with the identifiers marked',
      },
      ...shown,
    );
    made.addEventListener('keydown', (event) => this.#onKey(event));
    return made;
  }

  /**
   * @param {string} text
   * @param {number} at
   */
  #markElement(text, at) {
    const made = element(
      'button',
      {
        'type': 'button',
        'class': 'found-mark',
        'data-testid': 'found-mark',
        'aria-pressed': 'false',
        'tabindex': '-1',
        'onclick': () => this.#select(at),
        'onfocus': () => this.#select(at),
      },
      text,
    );
    this.#marks[at] = made;
    return made;
  }

  #tableElement() {
    const { ids } = this.#inspection;
    this.#rows = ids.map((found, at) => this.#rowElement(found, at));
    const heading = (/** @type {string} */ name) => element('th', { scope: 'col' }, name);
    return element(
      'div',
      {
        'class': 'found-table',
        'role': 'region',
        'aria-label': 'Identifiers found',
        'tabindex': '0',
      },
      element(
        'table',
        {},
        element('caption', { class: 'visually-hidden' }, 'Identifiers found'),
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...['Compare', 'Identifier', 'Kind', 'Time', 'Collection', 'Held by'].map(heading),
          ),
        ),
        element('tbody', {}, ...this.#rows),
      ),
    );
  }

  /**
   * @param {FoundId} found
   * @param {number} at
   */
  #rowElement(found, at) {
    const { text, readings, collection, claims } = found;
    const [likely] = readings;
    const choice = element('input', {
      'type': 'checkbox',
      'data-testid': 'found-choice',
      'aria-label': `Compare ${text}`,
      'disabled': readings.length === 0,
      'onchange': () => this.#choose(at, choice.checked),
    });
    const name = button('found-id', text, () => this.#select(at), 'found-id mono');
    const holders = claims.map(({ pool, client }) =>
      element(
        'a',
        { href: `#${new URLSearchParams({ view: 'pools', pool })}` },
        `${client} in ${pool}`,
      ),
    );
    return element(
      'tr',
      { 'data-testid': 'found-row' },
      element('td', {}, choice),
      element('td', {}, name),
      element('td', {}, likely?.kind ?? 'IP address'),
      element('td', {}, likely?.time ? timeElement(likely.time) : 'none'),
      element('td', {}, collection ?? 'none'),
      element('td', {}, ...(holders.length > 0 ? holders : ['none'])),
    );
  }

  /**
   * @param {number} at
   * @param {boolean} isChosen
   */
  #choose(at, isChosen) {
    this.#chosen = this.#chosen.filter((other) => other !== at);
    if (isChosen) {
      this.#chosen = [...this.#chosen, at];
    }
    this.#showChosen();
  }

  #showChosen() {
    const count = this.#chosen.length;
    this.#compare.disabled = count === 0 || count > COMPARED_MAX;
    this.#compare.textContent = compareText(count);
  }

  /** @param {number} at */
  #select(at) {
    if (at === this.#selected) {
      return;
    }
    this.#marked(this.#selected, false);
    this.#selected = at;
    this.#marked(at, true);
    const { text, readings } = this.#inspection.ids[at];
    this.#readings.replaceChildren(
      ...readings.map((reading, rank) => readingElement(text, reading, { rank, before: null })),
    );
  }

  /**
   * @param {number} at
   * @param {boolean} isSelected
   */
  #marked(at, isSelected) {
    const mark = this.#marks[at];
    if (mark) {
      mark.setAttribute('aria-pressed', String(isSelected));
      mark.tabIndex = isSelected ? 0 : -1;
    }
    this.#rows[at]?.classList.toggle('is-selected', isSelected);
  }

  /**
   * The arrow keys, and j and k, move from mark to mark.
   *
   * @param {KeyboardEvent} event
   */
  #onKey(event) {
    const to = event.ctrlKey || event.metaKey || event.altKey ? null : this.#steppedTo(event.key);
    if (to !== null) {
      event.preventDefault();
      this.#marks[to]?.focus();
    }
  }

  /**
   * @param {string} key
   * @returns {number | null} null if the key does not move
   */
  #steppedTo(key) {
    const last = this.#inspection.ids.length - 1;
    switch (key) {
      case 'ArrowLeft':
      case 'ArrowUp':
      case 'k':
        return Math.max(0, this.#selected - 1);
      case 'ArrowRight':
      case 'ArrowDown':
      case 'j':
        return Math.min(last, this.#selected + 1);
      case 'Home':
        return 0;
      case 'End':
        return last;
      default:
        return null;
    }
  }
}

/** @param {number} count */
export function foundText(count) {
  return `${counted(count)} identifier${count === 1 ? '' : 's'} found`;
}

/** @param {number} count of the identifiers that are chosen */
function compareText(count) {
  if (count === 0) {
    return 'Choose identifiers to compare';
  }
  if (count > COMPARED_MAX) {
    return `At most ${COMPARED_MAX} can be compared`;
  }
  return count === 1 ? 'Show the chosen one alone' : `Compare the ${count} chosen`;
}

/**
 * A text in which nothing was found.
 *
 * @param {string} text
 * @param {TextInspection} inspection
 */
export function nothingFound(text, { nearest_miss: miss }) {
  if (!miss) {
    return element(
      'p',
      { 'class': 'notice', 'data-testid': 'nothing-found' },
      'No identifier was found.',
    );
  }
  const { line, column } = placeOf(text, miss.start);
  return element(
    'p',
    { 'class': 'notice', 'data-testid': 'nothing-found' },
    'No identifier was found. The nearest miss is at ',
    element('strong', {}, `line ${line}, column ${column}`),
    ': ',
    element('code', {}, miss.text),
    element('br', {}),
    miss.reason,
  );
}
