import { Actions, onEscape } from '../common/actions.js';
import { button, changeButton, element, KeyedChildren, setText } from '../common/dom.js';
import { counted, percent } from '../common/numbers.js';
import { addBlock, drainBlock, removeBlock } from './changes-api.js';
import { LineForm } from './line-form.js';
import { PoolBar } from './pool-bar.js';
import { COUNTED_STATES } from './value-states.js';

/** @import {BlockUsage, Pool} from './api.js' */

/** A row for each block of a pool, with the count of each state. Blocks are added, drained, removed. */
export class BlockTable {
  #pool = '';
  #form;
  #onChange;
  #message = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'blocks-said' });
  #lines = element('tbody');
  /** @type {KeyedChildren<BlockUsage>} */
  #rows = new KeyedChildren(
    this.#lines,
    ({ block }) => `${this.#pool} ${block}`,
    ({ block }) =>
      new BlockRow(block, {
        onDrain: (drains) => this.#drain(block, drains),
        onRemove: () => this.#remove(block),
      }),
  );

  /** @param {() => void} onChange called after a change, to load the pool again */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#form = new LineForm({
      name: 'add',
      label: 'Add a block',
      fields: [
        {
          id: 'add-block',
          name: 'Add a block',
          placeholder: '10.0.4.0/24',
          missing: 'Enter a block, such as 10.0.4.0/24 or 101..200.',
        },
      ],
      action: 'Add',
      onSubmit: async (block) => {
        await addBlock(this.#pool, block);
        onChange();
        return `${block} was added.`;
      },
    });
    const columns = ['block', 'use', 'values', ...COUNTED_STATES];
    const headings = columns.map((name) => element('th', { scope: 'col' }, name));
    const actions = element('span', { class: 'visually-hidden' }, 'actions');
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'blocks-title' },
      element('h2', { id: 'blocks-title', class: 'panel-title' }, 'Blocks'),
      element(
        'table',
        { 'class': 'blocks', 'data-testid': 'blocks' },
        element(
          'thead',
          {},
          element('tr', {}, ...headings, element('th', { scope: 'col' }, actions)),
        ),
        this.#lines,
      ),
      this.#message,
      element(
        'p',
        { class: 'hint' },
        'Values of a drained block can be renewed and released, but not claimed. ' +
          'A block can be removed when none of its values is held.',
      ),
      this.#form.root,
    );
  }

  /** @param {Pool} pool */
  show({ name, utilisation }) {
    if (name !== this.#pool) {
      this.#pool = name;
      this.#say('', '');
      this.#form.reset();
    }
    this.#rows.show(utilisation);
  }

  /**
   * @param {string} block
   * @param {boolean} drains
   */
  async #drain(block, drains) {
    await this.#change(
      () => drainBlock(this.#pool, block, drains),
      drains ? `${block} is drained.` : `${block} is no longer drained.`,
    );
  }

  /** @param {string} block */
  async #remove(block) {
    await this.#change(() => removeBlock(this.#pool, block), `${block} was removed.`);
  }

  /**
   * @param {() => Promise<void>} change
   * @param {string} done
   */
  async #change(change, done) {
    try {
      await change();
      this.#say(done, 'granted');
      this.#onChange();
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, 'refused');
    }
  }

  /**
   * @param {string} text
   * @param {string} outcome
   */
  #say(text, outcome) {
    this.#message.dataset.outcome = outcome;
    setText(this.#message, text);
  }
}

class BlockRow {
  #bar = new PoolBar();
  #drained = element('span', { class: 'badge', hidden: true }, 'drained');
  #share = element('span', { class: 'share' });
  #capacity = numberCell('values');
  #counts = COUNTED_STATES.map(numberCell);
  #actions = new Actions('td', 'claim-actions');
  #block;
  #listeners;
  #isConfirming = false;
  #drains = false;

  /**
   * @param {string} block
   * @param {object} listeners
   * @param {(drains: boolean) => void} listeners.onDrain
   * @param {() => void} listeners.onRemove
   */
  constructor(block, listeners) {
    this.#block = block;
    this.#listeners = listeners;
    this.root = element(
      'tr',
      { 'data-testid': 'block', 'data-block': block },
      element(
        'th',
        { scope: 'row' },
        element('span', { class: 'mono block-name' }, block),
        ' ',
        this.#drained,
      ),
      element('td', { class: 'use' }, this.#bar.root, this.#share),
      this.#capacity,
      ...this.#counts,
      onEscape(this.#actions.root, () => this.#confirm(false)),
    );
  }

  /** @param {BlockUsage} block */
  show(block) {
    this.#drains = block.drains;
    this.#drained.hidden = !block.drains;
    this.#bar.show(block);
    setText(this.#share, `${percent(block.held, block.capacity)} held`);
    setText(this.#capacity, counted(block.capacity));
    COUNTED_STATES.forEach((state, at) => setText(this.#counts[at], counted(block[state])));
    this.#showActions();
  }

  /** @param {boolean} isConfirming */
  #confirm(isConfirming) {
    this.#isConfirming = isConfirming;
    this.#showActions();
  }

  #showActions() {
    if (this.#isConfirming) {
      this.#actions.show('confirm', () => this.#confirmation());
    } else {
      this.#actions.show(`drains: ${this.#drains}`, () => {
        const drain = changeButton('block-drain', this.#drains ? 'Stop draining' : 'Drain', () =>
          this.#listeners.onDrain(!this.#drains),
        );
        const remove = changeButton('block-remove', 'Remove…', () => this.#confirm(true));
        return { content: [drain, remove], next: drain };
      });
    }
  }

  #confirmation() {
    const remove = changeButton(
      'block-remove-confirm',
      `Remove ${this.#block}`,
      () => {
        this.#confirm(false);
        this.#listeners.onRemove();
      },
      'danger',
    );
    const keep = button('block-remove-cancel', 'Keep it', () => this.#confirm(false));
    return { content: [remove, keep], next: remove, takesFocus: true };
  }
}

/**
 * @param {string} column shown before the number where the table is too narrow for a heading
 */
function numberCell(column) {
  return element('td', { 'class': 'number', 'data-label': column });
}
