import { element, KeyedChildren, setText } from './dom.js';
import { counted, percent } from './numbers.js';
import { PoolBar } from './pool-bar.js';
import { COUNTED_STATES } from './value-states.js';

/** @import {BlockUsage} from './api.js' */

/** A row for each block of a pool, with the count of each state. */
export class BlockTable {
  #lines = element('tbody');
  #rows = new KeyedChildren(
    this.#lines,
    ({ block }) => block,
    (/** @type {BlockUsage} */ { block }) => new BlockRow(block),
  );
  root = element(
    'section',
    { 'class': 'panel', 'aria-labelledby': 'blocks-title' },
    element('h3', { id: 'blocks-title', class: 'panel-title' }, 'Blocks'),
    element(
      'table',
      { 'class': 'blocks', 'data-testid': 'blocks' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['block', 'use', 'values', ...COUNTED_STATES].map((name) =>
            element('th', { scope: 'col' }, name),
          ),
        ),
      ),
      this.#lines,
    ),
  );

  /** @param {BlockUsage[]} blocks */
  show(blocks) {
    this.#rows.show(blocks);
  }
}

class BlockRow {
  #bar = new PoolBar();
  #drained = element('span', { class: 'badge', hidden: true }, 'drained');
  #share = element('span', { class: 'share' });
  #capacity = numberCell('values');
  #counts = COUNTED_STATES.map(numberCell);

  /** @param {string} block */
  constructor(block) {
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
    );
  }

  /** @param {BlockUsage} block */
  show(block) {
    this.#drained.hidden = !block.drains;
    this.#bar.show(block);
    setText(this.#share, `${percent(block.held, block.capacity)} held`);
    setText(this.#capacity, counted(block.capacity));
    COUNTED_STATES.forEach((state, at) => setText(this.#counts[at], counted(block[state])));
  }
}

/**
 * @param {string} column shown before the number where the table is too narrow for a heading
 */
function numberCell(column) {
  return element('td', { 'class': 'number', 'data-label': column });
}
