import { byId, button, element } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { inspect, mint } from './api.js';
import { changesOf, changesText, heatOf, longestRun } from './changes.js';
import { ORDERED } from './minting.js';
import { huesOf, partOf } from './parts.js';
import { ORDERS, promiseText } from './promises.js';
import { idLine } from './reading-figure.js';

/** @import {Range, Reading, ReadingField} from './api.js' */

/** Enough that many of them share a millisecond. */
const SAMPLE = 100;
const SHOWN = 3;

/**
 * Three ids of one millisecond in each order, and which of their characters change. Ids are minted
 * when it is opened, and again on request.
 */
export class Strips {
  #box = byId('strips', HTMLDetailsElement);
  #kind = byId('strips-kind', HTMLSelectElement);
  #promise = byId('strips-promise');
  #list = byId('strip-list');
  #error = byId('strips-error');
  #latest = 0;

  start() {
    this.#kind.append(...ORDERED.map((kind) => element('option', { value: kind }, kind)));
    this.#kind.addEventListener('change', () => this.#mint());
    byId('strips-again').addEventListener('click', () => this.#mint());
    this.#box.addEventListener('toggle', () => {
      if (this.#box.open && this.#list.childElementCount === 0) {
        this.#mint();
      }
    });
  }

  async #mint() {
    const mine = ++this.#latest;
    const kind = this.#kind.value;
    this.#list.setAttribute('aria-busy', 'true');
    try {
      const samples = await Promise.all(
        ORDERS.map(({ order }) => mint({ kind, order, count: SAMPLE })),
      );
      const inspections = await inspect(samples.map(([id]) => id));
      if (mine === this.#latest) {
        this.#error.replaceChildren();
        this.#promise.textContent = promiseText(kind);
        this.#list.replaceChildren(
          ...ORDERS.map((order, at) =>
            stripElement(order, samples[at], readingOf(inspections[at].readings, kind)),
          ),
        );
      }
    } catch (error) {
      if (mine === this.#latest) {
        const { message } = /** @type {Error} */ (error);
        this.#list.replaceChildren();
        this.#error.replaceChildren(
          element(
            'p',
            { class: 'notice is-error' },
            `${message} `,
            button('strips-retry', 'Try again', () => this.#mint()),
          ),
        );
      }
    } finally {
      if (mine === this.#latest) {
        this.#list.removeAttribute('aria-busy');
      }
    }
  }
}

/**
 * @param {Reading[]} readings
 * @param {string} kind
 */
function readingOf(readings, kind) {
  return readings.find((reading) => reading.kind === kind) ?? readings[0];
}

/**
 * @param {{order: string, promise: string}} order
 * @param {string[]} sample
 * @param {Reading} reading of the first of them; the others have the same fields
 */
function stripElement({ order, promise }, sample, { fields }) {
  const run = longestRun(sample, timeRanges(fields));
  const { pairs, counts } = changesOf(run);
  const hues = huesOf(fields);
  const title = `strip-${order}`;
  const content =
    run.length < SHOWN
      ? [element('p', {}, 'No three ids fell into one millisecond. Mint again.')]
      : [
          element(
            'ol',
            { class: 'strip', role: 'list' },
            ...run.slice(0, SHOWN).map((id) => {
              const line = idLine(id, fields, hues);
              markHeat(line, counts, pairs);
              return element('li', { 'data-testid': 'strip-id' }, line);
            }),
          ),
          element(
            'p',
            { 'class': 'hint', 'data-testid': 'strip-changes' },
            `${counted(run.length)} ids of one millisecond. ${changesText({ pairs, counts })}`,
          ),
        ];
  return element(
    'li',
    { 'class': 'strip-box', 'data-testid': 'strip', 'data-order': order },
    element('h3', { id: title }, order),
    element('p', {}, `${promise[0].toUpperCase()}${promise.slice(1)}.`),
    ...content,
  );
}

/** @param {ReadingField[]} fields */
function timeRanges(fields) {
  return fields.flatMap((field) =>
    partOf(field).name === 'Time' && field.text ? [/** @type {Range} */ (field.text)] : [],
  );
}

/**
 * @param {HTMLElement} line
 * @param {number[]} counts
 * @param {number} pairs
 */
function markHeat(line, counts, pairs) {
  line.querySelectorAll('.char').forEach((char, at) => {
    char.setAttribute('data-heat', String(heatOf(counts[at], pairs)));
  });
}
