import { element, setText } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { partMoved, partName, partText, shadeOf, shortCount } from './density-scale.js';
import { linkTo, linkToRange } from './pool-address.js';

/**
 * @import {Density, DensityPart} from './api.js'
 * @import {Range} from './pool-address.js'
 */

/** A part with as many values is shown as cells. */
export const CELLS_MAX = 4_096;

/**
 * The values of a large pool, or of a range of it, in parts of equal size. A part is a link to its
 * own parts, and a small one to its cells. One part is in the tab order; the arrow keys move on.
 */
export class PoolDensity {
  #where = element('p', { class: 'density-where' });
  #whole = element('a', { 'class': 'link', 'data-testid': 'density-whole' }, 'Whole pool');
  #parts = element('ul', { 'class': 'density', 'data-testid': 'density' });
  #said = element('p', { 'class': 'density-said', 'data-testid': 'density-said' });
  /** @type {HTMLAnchorElement[]} */
  #links = [];
  /** @type {Density | null} */
  #shown = null;
  #key = '';

  constructor() {
    this.root = element(
      'div',
      { hidden: true },
      element('div', { class: 'density-head' }, this.#where, this.#whole),
      this.#said,
      this.#parts,
      element(
        'p',
        { class: 'hint' },
        'A tile is a part of the pool, with the number of its held values. Darker tiles are fuller, ' +
          'on a logarithmic scale. Open a tile to see its parts, and in the end its cells.',
      ),
    );
    for (const event of ['focusin', 'pointerover']) {
      this.#parts.addEventListener(event, ({ target }) => this.#say(indexOf(target)));
    }
    this.#parts.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /**
   * @param {string} pool
   * @param {Range | null} range null for the whole pool
   * @param {Density | null} density null until the server has answered
   */
  show(pool, range, density) {
    this.#whole.hidden = range === null;
    this.#whole.setAttribute('href', linkTo(pool));
    setText(this.#where, range === null ? 'Whole pool' : `From ${range.from} to ${range.to}`);
    this.#parts.setAttribute('aria-busy', String(density === null));
    this.#parts.setAttribute('aria-label', `Density of ${pool}`);
    if (density === null || density === this.#shown) {
      return;
    }
    this.#shown = density;
    const key = JSON.stringify([pool, ...density.parts.map(({ first, last }) => [first, last])]);
    if (key !== this.#key) {
      this.#key = key;
      this.#build(pool, density);
    }
    density.parts.forEach((part, at) => paint(this.#links[at], part));
    this.#say(this.#links.findIndex((link) => link === document.activeElement));
  }

  /**
   * @param {string} pool
   * @param {Density} density
   */
  #build(pool, { parts }) {
    this.#links = parts.map((part, at) =>
      element('a', {
        'class': 'part',
        'href': hrefOf(pool, part),
        'tabindex': at === 0 ? 0 : -1,
        'data-testid': 'part',
        'data-index': at,
        'data-first': part.first,
      }),
    );
    const few = parts.length <= 64;
    this.#parts.classList.toggle('has-names', few);
    this.#parts.replaceChildren(
      ...parts.map((part, at) => {
        const name = element('span', { 'class': 'part-name mono', 'aria-hidden': 'true' });
        name.textContent = partName(part);
        return element('li', {}, this.#links[at], few ? name : null);
      }),
    );
  }

  /** @param {number} at */
  #say(at) {
    const parts = this.#shown?.parts ?? [];
    const part = parts[at];
    const held = parts.reduce((sum, { held: count }) => sum + count, 0);
    const total = `${counted(held)} held in ${counted(parts.length)} parts`;
    setText(this.#said, part ? partText(part) : total);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const at = indexOf(event.target);
    const columns = getComputedStyle(this.#parts).gridTemplateColumns.split(' ').length;
    const to = at < 0 ? null : partMoved(event.key, at, columns, this.#links.length);
    if (to !== null) {
      event.preventDefault();
      this.#links[at].tabIndex = -1;
      this.#links[to].tabIndex = 0;
      this.#links[to].focus();
    }
  }
}

/**
 * @param {string} pool
 * @param {DensityPart} part
 */
function hrefOf(pool, { first, last, size }) {
  return size <= CELLS_MAX
    ? linkTo(pool, 'map', first)
    : linkToRange(pool, { from: first, to: last });
}

/**
 * @param {HTMLAnchorElement} link
 * @param {DensityPart} part
 */
function paint(link, part) {
  link.dataset.shade = String(shadeOf(part));
  link.dataset.held = String(part.held);
  link.classList.toggle('is-quarantined', part.quarantined > 0);
  link.setAttribute('aria-label', partText(part));
  setText(link, shortCount(part.held));
}

/** @param {EventTarget | null} target */
function indexOf(target) {
  const link = target instanceof Element ? target.closest('.part') : null;
  return link instanceof HTMLElement ? Number(link.dataset.index) : -1;
}
