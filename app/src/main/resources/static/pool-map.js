import { element } from './dom.js';
import { seriesOf } from './values.js';

/** The letters of the API's `states`, and what each is called in `data-state` and to people. */
export const STATES = {
  f: { state: 'free', label: 'free' },
  h: { state: 'held', label: 'held' },
  q: { state: 'quarantined', label: 'resting' },
  d: { state: 'draining', label: 'draining' },
  x: { state: 'excluded', label: 'excluded' },
};

/** Powers of two, so that a column is the low bits of an address and a row is a prefix. */
const COLUMNS = [64, 32, 16];
const CELL_PX_MIN = 12;
const CELL_PX_MIN_COARSE = 19;
const LABEL_PX = 100;
/** Labels of rows are short in a narrow map, or if they are long: the heading has the rest. */
const SHORT_LABEL_COLUMNS = 16;
const LABEL_LENGTH_MAX = 15;
const ROWS_A_PAGE = 8;
/** More changes than this at once are a flood: nobody can follow it, and it would cost frames. */
const STRIKES_MAX = 400;
const STRIKE = [{ boxShadow: '0 0 0 2px var(--strike)' }, { boxShadow: '0 0 0 4px transparent' }];
const STRIKE_TIMING = { duration: 1100, easing: 'ease-out' };

/**
 * Every value of a window as a cell. Rows are aligned on multiples of the number of columns, so the
 * first row of a /22 has a gap where its network address is. A change touches only its own cell.
 */
export class PoolMap {
  /** @type {any} */
  #map = null;
  #signature = '';
  #columns = COLUMNS[COLUMNS.length - 1];
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {number[][]} the indexes of each row's cells, all blocks one below the other */
  #rows = [];
  #rowOf = new Int32Array(0);
  #columnOf = new Uint8Array(0);
  #active = 0;
  #selected = -1;
  #stillness = matchMedia('(prefers-reduced-motion: reduce)');

  /**
   * @param {HTMLElement} root
   * @param {object} listeners
   * @param {(index: number | null) => void} listeners.onPoint with the mouse; null when it leaves
   * @param {(index: number) => void} listeners.onSelect by keyboard, click or tap
   * @param {() => void} listeners.onEnter
   */
  constructor(root, { onPoint, onSelect, onEnter }) {
    this.root = root;
    this.onSelect = onSelect;
    this.onEnter = onEnter;
    root.addEventListener('pointerover', (event) => {
      const index = indexOf(event.target);
      if (event.pointerType === 'mouse' && index !== null) {
        onPoint(index);
      }
    });
    root.addEventListener('pointerleave', () => onPoint(null));
    root.addEventListener('click', (event) => {
      const index = indexOf(event.target);
      if (index !== null) {
        this.#cells[index].focus({ preventScroll: true });
      }
    });
    root.addEventListener('focusin', (event) => {
      const index = indexOf(event.target);
      if (index !== null) {
        this.#activate(index);
        this.onSelect(index);
      }
    });
    root.addEventListener('keydown', (event) => this.#move(event));
    new ResizeObserver(() => this.#fit()).observe(root);
  }

  /**
   * @param {any} map as the API gives it
   * @returns {{granted: number, changed: number[]}} how many values turned held, and which changed
   */
  show(map) {
    const signature = JSON.stringify([map.pool, map.from, map.count, map.blocks]);
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#map = map;
      this.#columns = this.#fittingColumns();
      this.#selected = -1;
      this.#active = 0;
      this.#build();
      return { granted: 0, changed: [] };
    }
    return this.#update(map);
  }

  clear() {
    this.#signature = '';
    this.#map = null;
    this.#cells = [];
    this.root.replaceChildren();
  }

  /** @param {number} index */
  valueAt(index) {
    return this.#cells[index]?.dataset.value ?? null;
  }

  /** @param {number} index */
  stateAt(index) {
    return STATES[this.#map.states[index]];
  }

  /**
   * @param {string} value
   * @returns {number} -1 if the window does not have it
   */
  indexOfValue(value) {
    return this.#cells.findIndex((cell) => cell.dataset.value === value);
  }

  get size() {
    return this.#cells.length;
  }

  /** Marks a cell as the one whose details are shown, without taking the focus. */
  select(index) {
    this.#cells[this.#selected]?.setAttribute('aria-selected', 'false');
    this.#cells[index]?.setAttribute('aria-selected', 'true');
    this.#selected = index;
    if (index >= 0) {
      this.#activate(index);
    }
  }

  scrollTo(index) {
    this.#cells[index]?.scrollIntoView({
      block: 'nearest',
      behavior: this.#stillness.matches ? 'auto' : 'smooth',
    });
  }

  focus(index) {
    this.#cells[index]?.focus();
  }

  #update(map) {
    const before = this.#map.states;
    this.#map = map;
    if (before === map.states) {
      return { granted: 0, changed: [] };
    }
    const changed = [];
    let granted = 0;
    for (let index = 0; index < map.count; index++) {
      if (before.charCodeAt(index) !== map.states.charCodeAt(index)) {
        changed.push(index);
        granted += map.states[index] === 'h' ? 1 : 0;
        this.#paint(index);
      }
    }
    if (!this.#stillness.matches && changed.length <= STRIKES_MAX) {
      for (const index of changed) {
        this.#cells[index].animate(STRIKE, STRIKE_TIMING);
      }
    }
    return { granted, changed };
  }

  #paint(index) {
    const cell = this.#cells[index];
    const { state, label } = STATES[this.#map.states[index]];
    cell.dataset.state = state;
    cell.setAttribute('aria-label', `${cell.dataset.value}, ${label}`);
  }

  #build() {
    const { blocks, count } = this.#map;
    this.#cells = new Array(count);
    this.#rows = [];
    this.#rowOf = new Int32Array(count);
    this.#columnOf = new Uint8Array(count);
    this.root.style.setProperty('--columns', String(this.#columns));
    this.root.setAttribute(
      'aria-label',
      `Map of ${this.#map.pool}, ${this.#columns} values to a row`,
    );
    // By their counts: where a block begins may be a number too large for JavaScript.
    let start = 0;
    this.root.replaceChildren(
      ...blocks.map((run) => {
        const made = this.#blockElement(run, start);
        start += run.count;
        return made;
      }),
    );
    this.#active = Math.min(this.#active, count - 1);
    this.#activate(this.#active);
    this.select(this.#selected);
  }

  /**
   * @param {any} run
   * @param {number} start the index of its first cell
   */
  #blockElement(run, start) {
    const { block, count } = run;
    const made = element(
      'div',
      { class: 'block', role: 'rowgroup' },
      element(
        'div',
        { class: 'block-head', role: 'row' },
        element(
          'div',
          { 'role': 'columnheader', 'aria-colspan': this.#columns + 1 },
          element('h3', { class: 'mono' }, block),
        ),
      ),
    );
    const columns = BigInt(this.#columns);
    const series = seriesOf(run);
    let row = null;
    let rowNumber = -1n;
    let nextColumn = 0;
    for (let i = 0; i < count; i++) {
      const { value, number } = series(i);
      const index = start + i;
      if (row === null || number / columns !== rowNumber) {
        rowNumber = number / columns;
        nextColumn = 0;
        row = element('div', { class: 'map-row', role: 'row' }, this.#labelElement(value, run.values !== null));
        made.append(row);
        this.#rows.push([]);
      }
      const column = Number(number % columns);
      row.append(this.#cellElement(index, value, column, column !== nextColumn));
      nextColumn = column + 1;
      this.#rowOf[index] = this.#rows.length - 1;
      this.#columnOf[index] = column;
      this.#rows[this.#rows.length - 1].push(index);
    }
    return made;
  }

  /** A value of a list can be any text: no part of it says which it is. */
  #labelElement(value, listed) {
    const narrow = this.#columns <= SHORT_LABEL_COLUMNS || value.length > LABEL_LENGTH_MAX;
    const short = narrow && !listed ? shortened(value) : value;
    return element(
      'div',
      {
        'class': 'map-label mono',
        'role': 'rowheader',
        'aria-label': short === value ? null : value,
      },
      short,
    );
  }

  #cellElement(index, value, column, afterGap) {
    const cell = document.createElement('div');
    cell.className = 'cell';
    cell.setAttribute('role', 'gridcell');
    cell.setAttribute('data-testid', 'cell');
    cell.dataset.value = value;
    cell.dataset.index = String(index);
    cell.tabIndex = -1;
    cell.setAttribute('aria-selected', 'false');
    if (afterGap) {
      cell.style.gridColumnStart = String(column + 2);
    }
    this.#cells[index] = cell;
    this.#paint(index);
    return cell;
  }

  /** One cell is in the order of Tab: the one where the arrow keys stand. */
  #activate(index) {
    if (this.#cells[this.#active]) {
      this.#cells[this.#active].tabIndex = -1;
    }
    if (this.#cells[index]) {
      this.#cells[index].tabIndex = 0;
    }
    this.#active = index;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const index = indexOf(event.target);
    if (index === null || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.onEnter();
      return;
    }
    const row = this.#rows[this.#rowOf[index]];
    const last = this.#cells.length - 1;
    const to = {
      ArrowLeft: () => Math.max(0, index - 1),
      ArrowRight: () => Math.min(last, index + 1),
      ArrowUp: () => this.#vertically(index, -1),
      ArrowDown: () => this.#vertically(index, 1),
      PageUp: () => this.#vertically(index, -ROWS_A_PAGE),
      PageDown: () => this.#vertically(index, ROWS_A_PAGE),
      Home: () => (event.ctrlKey ? 0 : row[0]),
      End: () => (event.ctrlKey ? last : row[row.length - 1]),
    }[event.key];
    if (to) {
      event.preventDefault();
      this.focus(to());
    }
  }

  /** The cell in the same column `rows` below, or the nearest to it that is there. */
  #vertically(index, rows) {
    const to = Math.max(0, Math.min(this.#rows.length - 1, this.#rowOf[index] + rows));
    const column = this.#columnOf[index];
    return this.#rows[to].reduce((best, candidate) =>
      Math.abs(this.#columnOf[candidate] - column) < Math.abs(this.#columnOf[best] - column)
        ? candidate
        : best,
    );
  }

  #fit() {
    if (this.#map && this.#fittingColumns() !== this.#columns) {
      const focused = this.root.contains(document.activeElement);
      this.#columns = this.#fittingColumns();
      this.#build();
      if (focused) {
        this.focus(this.#active);
      }
    }
  }

  #fittingColumns() {
    const cell = matchMedia('(pointer: coarse)').matches ? CELL_PX_MIN_COARSE : CELL_PX_MIN;
    const room = this.root.clientWidth - LABEL_PX;
    return COLUMNS.find((columns) => columns * cell <= room) ?? COLUMNS[COLUMNS.length - 1];
  }
}

/** @param {EventTarget | null} target */
function indexOf(target) {
  const cell = /** @type {Element} */ (target).closest('.cell');
  return cell ? Number(/** @type {HTMLElement} */ (cell).dataset.index) : null;
}

/**
 * The end of an address, which is what differs from row to row; a new /24 says which it is. Of a run
 * of numbers the first.
 */
function shortened(value) {
  if (value.includes('..')) {
    return value.split('..')[0];
  }
  if (value.includes('.')) {
    const [, , third, last] = value.split('.');
    return Number(last) < SHORT_LABEL_COLUMNS ? `${third}.${last}` : `.${last}`;
  }
  return value.includes(':') ? `:${value.slice(value.lastIndexOf(':') + 1) || '0'}` : value;
}
