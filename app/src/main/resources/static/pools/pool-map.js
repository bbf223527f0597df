import { element } from '../common/dom.js';
import { cellElement, indexOf, paint } from './map-cells.js';
import {
  columnsFor,
  gridOf,
  isLabelled,
  labelledColumnsFor,
  labelsOf,
  moved,
  rowLabel,
} from './map-grid.js';
import { changedIndexes, stateAt } from './value-states.js';

/**
 * @import {PoolMapBlock, ValueMap} from './api.js'
 * @import {Grid} from './map-grid.js'
 * @import {Cell} from './values.js'
 */

const CELL_PX_MIN = 12;
const CELL_PX_MIN_COARSE = 19;
const LABEL_PX = 100;
/** The width up to which console.css makes the column of labels narrow. */
const NARROW = '(max-width: 55.99rem)';
/** More changes than this at once are not animated: that would drop frames. */
const ANIMATED_MAX = 400;
const CHANGE = [{ boxShadow: '0 0 0 2px var(--strike)' }, { boxShadow: '0 0 0 4px transparent' }];
const CHANGE_TIMING = { duration: 1100, easing: 'ease-out' };

/**
 * A window of a pool's values, one cell each. A change of state touches only the cells that changed.
 * One cell is in the tab order; the arrow keys move the focus from there.
 */
export class PoolMap {
  /** @type {ValueMap | null} */
  #map = null;
  /** @type {Cell[]} */
  #values = [];
  /** @type {Grid} */
  #grid = gridOf([], [], 1);
  /** @type {HTMLElement[]} */
  #cells = [];
  /** What is written in the cells; nothing if there are many. @type {string[]} */
  #labels = [];
  #tabStop = 0;
  #isNarrow = false;
  /** @type {number | null} */
  #selected = null;
  #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  /**
   * @param {object} listeners
   * @param {(index: number | null) => void} listeners.onPoint with the mouse; null when it leaves
   * @param {(index: number) => void} listeners.onSelect by keyboard, click or tap
   * @param {() => void} listeners.onEnter
   */
  constructor({ onPoint, onSelect, onEnter }) {
    this.root = element('div', { 'class': 'map', 'role': 'grid', 'data-testid': 'pool-map' });
    this.root.addEventListener('pointerover', (event) => {
      const index = indexOf(event.target);
      if (event.pointerType === 'mouse' && index !== null) {
        onPoint(index);
      }
    });
    this.root.addEventListener('pointerleave', () => onPoint(null));
    this.root.addEventListener('click', (event) => {
      const index = indexOf(event.target);
      if (index !== null) {
        this.#cells[index].focus({ preventScroll: true });
      }
    });
    this.root.addEventListener('focusin', (event) => {
      const index = indexOf(event.target);
      if (index !== null) {
        this.#moveTabStop(index);
        onSelect(index);
      }
    });
    this.root.addEventListener('keydown', (event) => this.#onKey(event, onEnter));
    new ResizeObserver(() => this.#fit()).observe(this.root);
  }

  /**
   * Shows a window. The cells of the one before stay, as busy, until the map of this one is here.
   *
   * @param {ValueMap | null} map
   * @param {Cell[]} values the same array as long as the window shows the same values
   */
  show(map, values) {
    if (map === null) {
      this.root.setAttribute('aria-busy', 'true');
      return;
    }
    this.root.removeAttribute('aria-busy');
    const before = this.#map;
    this.#map = map;
    if (before === null || values !== this.#values) {
      this.#values = values;
      this.#labels = isLabelled(values.length) ? labelsOf(map.blocks, values) : [];
      this.#tabStop = 0;
      this.#build(map);
    } else {
      this.#repaint(changedIndexes(before.states, map.states), map.states);
    }
  }

  /**
   * Marks the cell whose details are shown, without moving the focus.
   *
   * @param {number | null} index
   */
  select(index) {
    this.#cellAt(this.#selected)?.setAttribute('aria-selected', 'false');
    this.#cellAt(index)?.setAttribute('aria-selected', 'true');
    this.#selected = index;
    if (index !== null) {
      this.#moveTabStop(index);
    }
  }

  /** @param {number} index */
  scrollTo(index) {
    this.#cells[index]?.scrollIntoView({
      block: 'nearest',
      behavior: this.#reducedMotion.matches ? 'auto' : 'smooth',
    });
  }

  /**
   * @param {number | null} index
   * @param {FocusOptions} [options]
   */
  focus(index, options) {
    this.#cellAt(index)?.focus(options);
  }

  /** @param {number | null} index */
  #cellAt(index) {
    return index === null ? undefined : this.#cells[index];
  }

  /**
   * @param {number[]} changed
   * @param {string} states
   */
  #repaint(changed, states) {
    const isAnimated = !this.#reducedMotion.matches && changed.length <= ANIMATED_MAX;
    for (const index of changed) {
      paint(this.#cells[index], this.#values[index].value, stateAt(states, index));
      if (isAnimated) {
        this.#cells[index].animate(CHANGE, CHANGE_TIMING);
      }
    }
  }

  /** @param {ValueMap} map */
  #build(map) {
    const columns = this.#fittingColumns();
    this.#isNarrow = matchMedia(NARROW).matches;
    this.#grid = gridOf(map.blocks, this.#values, columns);
    const hasLabels = isLabelled(this.#values.length);
    this.root.classList.toggle('is-labelled', hasLabels);
    this.#cells = this.#values.map(({ value }, index) => {
      const cell = cellElement(index, value, stateAt(map.states, index));
      if (hasLabels) {
        cell.dataset.label = this.#labels[index];
      }
      return cell;
    });
    this.root.style.setProperty('--columns', String(columns));
    this.root.setAttribute('aria-label', `Map of ${map.pool}, ${columns} values per row`);
    this.root.replaceChildren(
      ...map.blocks.map((stretch, at) => this.#blockElement(stretch, this.#grid.blocks[at])),
    );
    this.#moveTabStop(Math.min(this.#tabStop, this.#cells.length - 1));
    this.select(this.#selected);
  }

  /**
   * @param {PoolMapBlock} stretch
   * @param {number[][]} rows
   */
  #blockElement({ block, values }, rows) {
    const heading = element(
      'div',
      { 'role': 'columnheader', 'aria-colspan': this.#grid.columns + 1 },
      element('h2', { class: 'mono' }, block),
    );
    return element(
      'div',
      { class: 'block', role: 'rowgroup' },
      element('div', { class: 'block-head', role: 'row' }, heading),
      ...rows.map((row) => {
        const { value } = this.#values[row[0]];
        const label = rowLabel(value, { isNarrow: this.#isNarrow, isListed: values !== null });
        return this.#rowElement(row, value, label);
      }),
    );
  }

  /**
   * @param {number[]} row
   * @param {string} value
   * @param {string} label
   */
  #rowElement(row, value, label) {
    let column = 0;
    for (const index of row) {
      if (this.#grid.columnOf[index] !== column) {
        column = this.#grid.columnOf[index];
        // The first column has the labels, and the columns of a CSS grid count from 1.
        this.#cells[index].style.gridColumnStart = String(column + 2);
      }
      column++;
    }
    const header = element(
      'div',
      {
        'class': 'map-label mono',
        'role': 'rowheader',
        'aria-label': label === value ? null : value,
      },
      label,
    );
    return element(
      'div',
      { class: 'map-row', role: 'row' },
      header,
      ...row.map((index) => this.#cells[index]),
    );
  }

  /** @param {number} index */
  #moveTabStop(index) {
    const before = this.#cells[this.#tabStop];
    const now = this.#cells[index];
    if (before) {
      before.tabIndex = -1;
    }
    if (now) {
      now.tabIndex = 0;
    }
    this.#tabStop = index;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {() => void} onEnter
   */
  #onKey(event, onEnter) {
    const index = indexOf(event.target);
    if (index === null || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onEnter();
      return;
    }
    const to = moved(this.#grid, index, event);
    if (to !== null) {
      event.preventDefault();
      this.focus(to);
    }
  }

  /** Lays the cells out again if they no longer fit the width. */
  #fit() {
    const fits =
      this.#fittingColumns() === this.#grid.columns &&
      matchMedia(NARROW).matches === this.#isNarrow;
    if (this.#map && !fits) {
      const hadFocus = this.root.contains(document.activeElement);
      this.#build(this.#map);
      if (hadFocus) {
        this.focus(this.#tabStop);
      }
    }
  }

  #fittingColumns() {
    if (this.#labels.length) {
      return labelledColumnsFor(this.#labels, this.root.clientWidth - LABEL_PX);
    }
    const cellPxMin = matchMedia('(pointer: coarse)').matches ? CELL_PX_MIN_COARSE : CELL_PX_MIN;
    return columnsFor(this.#values.length, this.root.clientWidth - LABEL_PX, cellPxMin);
  }
}
