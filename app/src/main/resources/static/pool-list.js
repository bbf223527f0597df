import { element, KeyedChildren, setText } from './dom.js';
import { counted } from './numbers.js';
import { PoolBar } from './pool-bar.js';
import { COUNTED_STATES } from './value-states.js';

/** @import {Pool} from './api.js' */

/** The pools of the overview, each a link to its page. */
export class PoolList {
  #items;

  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {KeyedChildren<{pool: Pool, isSelected: boolean}>} */
    this.#items = new KeyedChildren(
      root,
      ({ pool }) => pool.name,
      ({ pool }) => new PoolItem(pool.name),
    );
  }

  /**
   * @param {Pool[]} pools
   * @param {string | null} selected
   */
  show(pools, selected) {
    this.#items.show(pools.map((pool) => ({ pool, isSelected: pool.name === selected })));
  }
}

/** One pool: its name, its capacity, and how many values are in each state. */
class PoolItem {
  #bar = new PoolBar();
  #capacity = element('span', { class: 'pool-capacity' });
  #counts = COUNTED_STATES.map(() => element('span', { class: 'nowrap' }));
  #link;

  /** @param {string} name */
  constructor(name) {
    this.#link = element(
      'a',
      {
        'class': 'pool-item',
        'data-testid': 'pool-item',
        'data-pool': name,
        'href': `#${new URLSearchParams({ pool: name })}`,
      },
      element(
        'span',
        { class: 'pool-line' },
        element('span', { class: 'pool-name' }, name),
        this.#capacity,
      ),
      this.#bar.root,
      element('span', { class: 'pool-counts' }, ...this.#counts),
    );
    this.root = element('li', {}, this.#link);
  }

  /** @param {{pool: Pool, isSelected: boolean}} item */
  show({ pool, isSelected }) {
    this.#link.setAttribute('aria-current', String(isSelected));
    setText(this.#capacity, counted(pool.capacity));
    COUNTED_STATES.forEach((state, at) => {
      setText(this.#counts[at], `${counted(pool[state])} ${state}`);
      this.#counts[at].hidden = state === 'draining' && pool.draining === 0;
    });
    this.#bar.show(pool);
  }
}
