import { button, element, setText } from '../common/dom.js';
import { LatestSignal } from '../common/http.js';
import { FIRST_PAGE, turned } from '../common/pages.js';

/**
 * A table that is loaded page by page. The first page is kept up to date; another stays as it is
 * while it is read.
 *
 * @template Item
 */
export class PagedList {
  #options;
  #signal = new LatestSignal();
  #lines = element('tbody');
  #table;
  #empty = element('p', { class: 'hint', hidden: true });
  #message = element('p', { class: 'result', role: 'status' });
  #previous = button('', '‹ Previous', () => this.#turn(-1));
  #next = button('', 'Next ›', () => this.#turn(1));
  /** The pager, for the head of the panel. */
  turn = element('div', { class: 'pager-turn', hidden: true }, this.#previous, this.#next);
  #pages = FIRST_PAGE;
  #shown = '';

  /**
   * @param {object} options
   * @param {string} options.name of the list, in test ids
   * @param {string[]} options.columns
   * @param {(item: Item) => (Node | string)[]} options.cells of a row, in the order of the columns
   * @param {(after: string, signal: AbortSignal) => Promise<{items: Item[], next: string | null}>}
   *     options.load
   * @param {() => string} options.emptyText
   */
  constructor(options) {
    const { name, columns } = options;
    this.#options = options;
    this.#previous.dataset.testid = `${name}-previous`;
    this.#next.dataset.testid = `${name}-next`;
    const headings = columns.map((column) => element('th', { scope: 'col' }, column));
    this.#table = element(
      'table',
      { 'class': 'claims', 'data-testid': name, 'hidden': true },
      element('thead', {}, element('tr', {}, ...headings)),
      this.#lines,
    );
    this.#empty.dataset.testid = `${name}-empty`;
    this.#message.dataset.testid = `${name}-said`;
    this.root = element('div', {}, this.#table, this.#empty, this.#message);
  }

  /** Loads the first page, with nothing of an earlier list. */
  restart() {
    this.#pages = FIRST_PAGE;
    this.load();
  }

  /** Loads the first page again if it is shown. */
  refresh() {
    if (this.#isFirst()) {
      this.load();
    }
  }

  async load() {
    const signal = this.#signal.next();
    try {
      const { starts } = this.#pages;
      const { items, next } = await this.#options.load(starts[starts.length - 1], signal);
      if (!signal.aborted) {
        this.#pages = { starts, next };
        this.#show(items);
        setText(this.#message, '');
      }
    } catch (error) {
      if (!signal.aborted) {
        setText(this.#message, /** @type {Error} */ (error).message);
      }
    }
  }

  /** @param {number} by */
  #turn(by) {
    this.#pages = turned(this.#pages, by);
    this.load();
  }

  #isFirst() {
    return this.#pages.starts.length === 1;
  }

  /** @param {Item[]} items */
  #show(items) {
    const isFirst = this.#isFirst();
    const isLast = this.#pages.next === null;
    this.#previous.disabled = isFirst;
    this.#next.disabled = isLast;
    this.turn.hidden = isFirst && isLast;
    this.#table.hidden = items.length === 0;
    this.#empty.hidden = items.length > 0;
    setText(this.#empty, items.length ? '' : this.#options.emptyText());
    const key = JSON.stringify(items);
    if (key !== this.#shown) {
      this.#shown = key;
      this.#lines.replaceChildren(...items.map((item) => this.#row(item)));
    }
  }

  /** @param {Item} item */
  #row(item) {
    const { columns, cells } = this.#options;
    const [first, ...others] = cells(item);
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, first),
      ...others.map((cell, at) => element('td', { 'data-label': columns[at + 1] }, cell)),
    );
  }
}
