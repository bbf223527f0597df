import { STATES, barElements } from './pool-bar.js';
import { counted, element, setText } from './dom.js';

/** A line for each block of a pool: how much of it is held, rests, drains and is free. */
export class BlockTable {
  #rows = new Map();

  constructor() {
    this.lines = element('tbody');
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'blocks-title' },
      element('h3', { id: 'blocks-title', class: 'panel-title' }, 'Blocks'),
      element(
        'table',
        { class: 'blocks', 'data-testid': 'blocks' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...['block', 'use', 'values', ...STATES.map(([, label]) => label)].map((name) =>
              element('th', { scope: 'col' }, name),
            ),
          ),
        ),
        this.lines,
      ),
    );
  }

  /** @param {any[]} blocks as the API tells them */
  show(blocks) {
    for (const [name, row] of this.#rows) {
      if (!blocks.some(({ block }) => block === name)) {
        row.root.remove();
        this.#rows.delete(name);
      }
    }
    blocks.forEach((block, at) => {
      if (!this.#rows.has(block.block)) {
        this.#rows.set(block.block, rowElements(block.block));
      }
      const row = this.#rows.get(block.block);
      if (this.lines.children[at] !== row.root) {
        this.lines.insertBefore(row.root, this.lines.children[at] ?? null);
      }
      row.show(block);
    });
  }
}

function rowElements(name) {
  const bar = barElements();
  const drained = element('span', { class: 'badge', hidden: true }, 'drained');
  const share = element('span', { class: 'share' });
  const capacity = cell('values');
  const counts = STATES.map(([, label]) => cell(label));
  return {
    root: element(
      'tr',
      { 'data-testid': 'block', 'data-block': name },
      element(
        'th',
        { scope: 'row' },
        element('span', { class: 'mono block-name' }, name),
        ' ',
        drained,
      ),
      element('td', { class: 'use' }, bar.root, share),
      capacity,
      ...counts,
    ),
    show(block) {
      drained.hidden = !block.drains;
      bar.show(block);
      setText(share, `${percent(block.held, block.capacity)} held`);
      setText(capacity, counted(block.capacity));
      STATES.forEach(([state], at) => setText(counts[at], counted(block[state])));
    },
  };
}

/** On a narrow screen the name of the column stands before the count. */
function cell(label) {
  return element('td', { 'class': 'number', 'data-label': label });
}

/** Never 0 % of something, never 100 % of less than all. */
function percent(part, whole) {
  if (part === 0 || whole === 0) {
    return '0 %';
  }
  const share = (100 * part) / whole;
  if (share < 0.1) {
    return 'under 0.1 %';
  }
  return `${part === whole ? 100 : Math.min(99.9, share).toFixed(share < 10 ? 1 : 0)} %`;
}
