import { button, element } from '../common/dom.js';
import { listFree } from './api.js';
import { PagedList } from './paged-list.js';

const VALUES_A_PAGE = 20;

/** The free values of a pool, page by page, to claim one by its name. */
export class FreeValues {
  #pool = '';
  /** @type {PagedList<string>} */
  #list;

  /** @param {(value: string) => void} onChoose */
  constructor(onChoose) {
    this.#list = new PagedList({
      name: 'free-values',
      columns: ['value'],
      cells: (value) => [button('free-value', value, () => onChoose(value), 'quiet mono')],
      load: async (after, signal) => {
        const page = { after, limit: VALUES_A_PAGE, signal };
        const { values, next } = await listFree(this.#pool, page);
        return { items: values, next };
      },
      emptyText: () => 'No value is free.',
    });
    this.root = element(
      'details',
      { 'class': 'free-values', 'data-testid': 'free' },
      element('summary', {}, 'Free values'),
      this.#list.turn,
      this.#list.root,
    );
    this.root.addEventListener('toggle', () => this.root.open && this.#list.restart());
  }

  /** @param {string} pool */
  show(pool) {
    if (pool !== this.#pool) {
      this.#pool = pool;
      this.root.open = false;
    } else if (this.root.open) {
      this.#list.refresh();
    }
  }
}
