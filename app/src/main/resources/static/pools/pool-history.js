import { element, textInput } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { listHistory } from './api.js';
import { ALL_CLAIMS, ClaimFinder, describeSearch } from './claim-finder.js';
import { noteText } from './claim-note.js';
import { PagedList } from './paged-list.js';
import { valueLink } from './pool-address.js';

/** @import {HistoryEntry, Pool} from './api.js' */

const TO_THE_SECOND = { fraction: false };
const ENTRIES_A_PAGE = 50;

/** Who held which value, the latest claim first. */
export class PoolHistory {
  #finder = new ClaimFinder('history-find', () => this.#find());
  #value = textInput('history-value', 'any value');
  /** What the list was filtered by. */
  #wanted = { search: ALL_CLAIMS, value: '' };
  #pool = '';
  #keeps = true;
  /** @type {PagedList<HistoryEntry>} */
  #list = new PagedList({
    name: 'pool-history',
    columns: ['value', 'client', 'owner', 'labels', 'held from', 'until', 'ended by'],
    cells: (entry) => cellsOf(this.#pool, entry),
    load: async (before, signal) => {
      const filter = { ...this.#wanted, before, limit: ENTRIES_A_PAGE, signal };
      const { history, next } = await listHistory(this.#pool, filter);
      return { items: history, next };
    },
    emptyText: () => this.#emptyText(),
  });

  constructor() {
    this.#value.addEventListener('input', () => this.#value.value === '' && this.#find());
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'history-title' },
      element(
        'form',
        {
          'class': 'panel-head',
          'novalidate': true,
          'aria-label': 'Find past claims',
          'onsubmit': (event) => {
            event.preventDefault();
            this.#find();
          },
        },
        element('h2', { id: 'history-title', class: 'panel-title' }, 'History'),
        element(
          'div',
          { class: 'claims-find' },
          ...this.#finder.inputs,
          element('label', { for: 'history-value' }, 'Value'),
          this.#value,
          element('button', { type: 'submit', class: 'quiet' }, 'Find'),
        ),
        this.#list.turn,
      ),
      this.#list.root,
    );
  }

  /** @param {Pool} pool */
  show({ name, history }) {
    this.#keeps = history !== null;
    if (name === this.#pool) {
      this.#list.refresh();
      return;
    }
    this.#pool = name;
    this.#finder.reset();
    this.#value.value = '';
    this.#find();
  }

  #find() {
    this.#wanted = { search: this.#finder.search, value: this.#value.value.trim() };
    this.#list.restart();
  }

  #emptyText() {
    if (!this.#keeps) {
      return 'This pool keeps no history. Its setting “history” says for how long claims are kept.';
    }
    const { search, value } = this.#wanted;
    const ofValue = value ? ` of ${value}` : '';
    return `No claim${ofValue}${describeSearch(search)} is in the history.`;
  }
}

/**
 * @param {string} pool
 * @param {HistoryEntry} entry
 */
function cellsOf(pool, { value, client, slot, owner, note, claimed_at, ended_at, ending }) {
  return [
    valueLink(pool, value),
    slot ? `${client} slot ${slot}` : client,
    owner ?? '—',
    noteText(note) || '—',
    timeElement(claimed_at, TO_THE_SECOND),
    ended_at ? timeElement(ended_at, TO_THE_SECOND) : 'held now',
    ending ?? '—',
  ];
}
