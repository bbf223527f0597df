import { button, element, KeyedChildren, setText, textInput } from '../common/dom.js';
import { counted, percent } from '../common/numbers.js';
import { linkTo } from './pool-address.js';
import { PoolBar } from './pool-bar.js';
import { levelOf, usedCount } from './pool-level.js';
import { found, ORDERS } from './pool-order.js';
import { COUNTED_STATES } from './value-states.js';

/** @import {Pool} from './api.js' */

/** More pools than these are shown on request. */
const SHOWN_MAX = 200;

/** All pools, each a link to its page, with a search and an order. */
export class PoolList {
  #search = textInput('pools-search', 'name or block');
  #order = element(
    'select',
    { 'id': 'pools-order', 'data-testid': 'pools-order', 'onchange': () => this.#show() },
    ...Object.entries(ORDERS).map(([value, { name }]) => element('option', { value }, name)),
  );
  #tools;
  #list = element('ul', { 'class': 'pool-list', 'aria-labelledby': 'pools-title' });
  #note = element('p', { 'class': 'hint', 'role': 'status', 'data-testid': 'pools-note' });
  #more = button('pools-more', 'Show all', () => this.#showAll());
  #items = new KeyedChildren(
    this.#list,
    (/** @type {Pool} */ { name }) => name,
    ({ name }) => new PoolItem(name),
  );
  /** @type {Pool[]} */
  #pools = [];
  #showsAll = false;

  constructor() {
    this.#search.addEventListener('input', () => this.#show());
    this.#tools = element(
      'form',
      {
        'class': 'pool-tools',
        'role': 'search',
        'aria-label': 'Find a pool',
        'novalidate': true,
        'onsubmit': (event) => event.preventDefault(),
      },
      labelled('pools-search', 'Find', this.#search),
      labelled('pools-order', 'Order by', this.#order),
    );
    this.root = element('div', {}, this.#tools, this.#list, this.#note, this.#more);
  }

  /** @param {Pool[]} pools */
  show(pools) {
    this.#pools = pools;
    this.#show();
  }

  #showAll() {
    this.#showsAll = true;
    this.#show();
  }

  #show() {
    const text = this.#search.value;
    const matching = found(this.#pools, text, this.#order.value);
    const shown = this.#showsAll ? matching : matching.slice(0, SHOWN_MAX);
    this.#items.show(shown);
    this.#tools.hidden = this.#pools.length < 2;
    this.#more.hidden = shown.length === matching.length;
    setText(this.#more, `Show all ${counted(matching.length)} pools`);
    setText(
      this.#note,
      this.#pools.length > 0 && matching.length === 0 ? `No pool matches “${text.trim()}”.` : '',
    );
  }
}

/**
 * @param {string} id
 * @param {string} name
 * @param {HTMLElement} control
 */
function labelled(id, name, control) {
  return element('div', { class: 'pool-tool' }, element('label', { for: id }, name), control);
}

/** One pool: its name, its capacity, and how many values are in each state. */
class PoolItem {
  #bar = new PoolBar();
  #capacity = element('span', { class: 'pool-capacity' });
  #share = element('span', { class: 'pool-share' });
  #level = element('span', { class: 'badge', hidden: true });
  #counts = COUNTED_STATES.map(() => element('span', { class: 'nowrap' }));

  /** @param {string} name */
  constructor(name) {
    const link = element(
      'a',
      { 'class': 'pool-item', 'data-testid': 'pool-item', 'data-pool': name, 'href': linkTo(name) },
      element('span', { class: 'pool-name' }, name),
      element('span', { class: 'pool-use' }, this.#bar.root, this.#share, this.#level),
      element('span', { class: 'pool-counts' }, ...this.#counts, this.#capacity),
    );
    this.root = element('li', {}, link);
  }

  /** @param {Pool} pool */
  show(pool) {
    const { level, word } = levelOf(pool);
    setText(this.#capacity, `of ${counted(pool.capacity)}`);
    setText(this.#share, `${percent(usedCount(pool), pool.capacity)} used`);
    this.#level.hidden = word === '';
    this.#level.dataset.level = level;
    setText(this.#level, word);
    COUNTED_STATES.forEach((state, at) => {
      setText(this.#counts[at], `${counted(pool[state])} ${state}`);
      this.#counts[at].hidden = state === 'draining' && pool.draining === 0;
    });
    this.#bar.show(pool);
  }
}
