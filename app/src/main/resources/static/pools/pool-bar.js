import { element } from '../common/dom.js';
import { COUNTED_STATES } from './value-states.js';

/** @import {Counts} from './api.js' */

/** A bar of the states of a pool or block. It is hidden from screen readers, which read the counts. */
export class PoolBar {
  #parts = COUNTED_STATES.map((state) => element('span', { 'data-state': state }));
  root = element('span', { 'class': 'bar', 'aria-hidden': 'true' }, ...this.#parts);

  /** @param {Counts} counts */
  show(counts) {
    const total = COUNTED_STATES.reduce((sum, state) => sum + counts[state], 0);
    COUNTED_STATES.forEach((state, at) => {
      this.#parts[at].style.flexGrow = String(counts[state] / Math.max(1, total));
      this.#parts[at].hidden = counts[state] === 0;
    });
  }
}
