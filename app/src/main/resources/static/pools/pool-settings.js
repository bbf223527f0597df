import { changeButton, element, setText } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { changeExclusion, resumePool } from './changes-api.js';
import { LineForm } from './line-form.js';
import { ChangeSettings } from './change-settings.js';
import { PoolDelete } from './pool-delete.js';
import { listedBlocks } from './pool-draft.js';

/** @import {Pool} from './api.js' */

/** The settings of a pool, its excluded values, and the button that deletes it. */
export class PoolSettings {
  #pool = '';
  #shown = '';
  #table = element('dl', { 'class': 'facts settings', 'data-testid': 'settings' });
  #delete = new PoolDelete();
  #message = element('p', { class: 'result', role: 'status' });
  #onChange;
  #resume = changeButton('resume', 'Resume', () => this.#doResume());
  #stopped = element('div', { class: 'notice is-error', hidden: true });
  #exclude;
  #include;
  #change;

  /** @param {() => void} onChange called after a change, to load the pool again */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#change = new ChangeSettings(onChange);
    this.#exclude = this.#exclusionForm('exclude', 'Exclude');
    this.#include = this.#exclusionForm('include', 'Include again');
    this.#stopped.append(
      element('p', {}, 'A failover has stopped this pool: no free value is granted.'),
      this.#resume,
    );
    const title = element('h2', { id: 'settings-title', class: 'panel-title' }, 'Settings');
    this.root = element(
      'div',
      {},
      element(
        'section',
        { 'class': 'panel', 'aria-labelledby': 'settings-title' },
        title,
        this.#stopped,
        this.#message,
        this.#table,
      ),
      this.#change.root,
      element(
        'section',
        { 'class': 'panel', 'aria-labelledby': 'exclude-title' },
        element('h2', { id: 'exclude-title', class: 'panel-title' }, 'Excluded values'),
        element('p', { class: 'hint' }, 'Excluded values are never handed out.'),
        this.#exclude.root,
        this.#include.root,
      ),
      this.#delete.root,
    );
  }

  /** @param {Pool} pool */
  show(pool) {
    if (pool.name !== this.#pool) {
      this.#pool = pool.name;
      this.#exclude.reset();
      this.#include.reset();
      setText(this.#message, '');
    }
    this.#stopped.hidden = pool.stopped_at === null;
    const settings = settingsOf(pool);
    const key = JSON.stringify(settings);
    if (key !== this.#shown) {
      this.#shown = key;
      this.#table.replaceChildren(...settings.map(settingElement));
    }
    this.#change.show(pool);
    this.#delete.show(pool);
  }

  /**
   * @param {'exclude' | 'include'} how
   * @param {string} action
   */
  #exclusionForm(how, action) {
    const field = {
      id: `${how}-values`,
      name: 'Values or blocks, separated by commas',
      missing: 'Enter at least one value or block.',
    };
    return new LineForm({
      name: how,
      label: action,
      fields: [field],
      action,
      onSubmit: async (text) => {
        const { changed, held } = await changeExclusion(this.#pool, how, listedBlocks(text));
        this.#onChange();
        const holders = held.claims.map(({ value, client }) => `${value} (${client})`);
        return [
          changed ? 'Done.' : 'Nothing changed.',
          ...(holders.length ? [`Still held until released: ${holders.join(', ')}.`] : []),
        ].join(' ');
      },
    });
  }

  async #doResume() {
    try {
      await resumePool(this.#pool);
      setText(this.#message, 'The pool was resumed.');
      this.#onChange();
    } catch (error) {
      setText(this.#message, /** @type {Error} */ (error).message);
    }
  }
}

/**
 * @param {Pool} pool
 * @returns {[name: string, value: string][]}
 */
function settingsOf(pool) {
  return [
    ['blocks', [...pool.blocks, ...pool.lists].join(', ') || 'none'],
    ...sourceOf(pool),
    ['excluded', pool.exclude.join(', ') || 'none'],
    ['values', counted(pool.capacity)],
    ...databaseOf(pool),
    ['order', pool.order],
    ['per client', counted(pool.per_client)],
    ['per owner', pool.per_owner === null ? 'any number' : counted(pool.per_owner)],
    ['sticky', pool.sticky ? 'yes' : 'no'],
    ['lease', pool.lease ?? 'none'],
    ['quarantine', pool.quarantine],
    ['history', pool.history ?? 'none'],
    ['IPv6', pool.ipv6 ? `${pool.ipv6.prefix}, embeds the ${pool.ipv6.embed}` : 'none'],
    ['after a failover', pool.after_failover],
    ['thresholds', pool.thresholds.map((one) => `${one} %`).join(', ') || 'none'],
  ];
}

/**
 * @param {Pool} pool
 * @returns {[name: string, value: string][]}
 */
function sourceOf({ blocks_from, keep_free }) {
  return blocks_from === null
    ? []
    : [
        ['blocks from', blocks_from],
        ['kept free', counted(keep_free ?? 0)],
      ];
}

/**
 * @param {Pool} pool
 * @returns {[name: string, value: string][]}
 */
function databaseOf({ database }) {
  return database === null ? [] : [['database', database]];
}

/** @param {[name: string, value: string]} setting */
function settingElement([name, value]) {
  return element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', { 'class': 'mono', 'data-fact': name }, value),
  );
}
