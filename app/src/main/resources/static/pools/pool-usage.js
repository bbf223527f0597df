import { button, element, setText } from '../common/dom.js';
import { LatestSignal } from '../common/http.js';
import { counted } from '../common/numbers.js';
import { timeElement } from '../common/time.js';
import { readUsage } from './api.js';
import { fullest, reached } from './usage-series.js';

/**
 * @import {Pool, PoolUsage as Usage, UsageSample} from './api.js'
 * @import {UsageChart} from './usage-chart.js'
 */

/** @type {[name: string, hours: number][]} */
const SPANS = [
  ['1 hour', 1],
  ['24 hours', 24],
  ['7 days', 7 * 24],
  ['30 days', 30 * 24],
  ['400 days', 400 * 24],
];
const SPAN_AT_FIRST = 1;
const HOUR_MILLIS = 3_600_000;
/** Servers record once a minute. */
const LOAD_AGAIN_MILLIS = 60_000;
const TO_THE_SECOND = { fraction: false };

/**
 * How full a pool was, over time: a chart with the pool's thresholds, and the same as a table. Used
 * values are those that are not free.
 */
export class PoolUsage {
  #pool = '';
  /** What the chart shows. */
  #shown = '';
  #span = SPAN_AT_FIRST;
  #loadedAt = -Infinity;
  #signal = new LatestSignal();
  /** @type {Promise<UsageChart> | null} */
  #chart = null;
  #spans = SPANS.map(([name], at) => button(`usage-span-${at}`, name, () => this.#choose(at)));
  #said = element('p', { 'class': 'hint', 'role': 'status', 'data-testid': 'usage-said' });
  #plot = element('div', { 'class': 'usage-chart', 'aria-hidden': 'true' });
  #lines = element('tbody');
  #table = element(
    'details',
    { 'class': 'usage-table', 'data-testid': 'usage-table', 'hidden': true },
    element('summary', {}, 'The same as a table'),
    element(
      'table',
      { class: 'claims' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['from', 'used', 'held', 'quarantined', 'free', 'values'].map((name) =>
            element('th', { scope: 'col' }, name),
          ),
        ),
      ),
      this.#lines,
    ),
  );
  root = element(
    'section',
    { 'class': 'panel', 'aria-labelledby': 'usage-title' },
    element(
      'div',
      { class: 'panel-head' },
      element('h2', { id: 'usage-title', class: 'panel-title' }, 'Use over time'),
      element(
        'div',
        { 'class': 'usage-spans', 'role': 'group', 'aria-label': 'Time' },
        ...this.#spans,
      ),
    ),
    this.#said,
    this.#plot,
    this.#table,
  );

  /** @param {Pool} pool */
  show({ name }) {
    if (name !== this.#pool) {
      this.#pool = name;
      this.#choose(this.#span);
    } else if (performance.now() - this.#loadedAt >= LOAD_AGAIN_MILLIS) {
      this.#load();
    }
  }

  /** @param {number} span */
  #choose(span) {
    this.#span = span;
    this.#spans.forEach((one, at) => one.setAttribute('aria-pressed', String(at === span)));
    this.#load();
  }

  async #load() {
    this.#loadedAt = performance.now();
    const signal = this.#signal.next();
    const until = new Date();
    const from = new Date(until.getTime() - SPANS[this.#span][1] * HOUR_MILLIS);
    try {
      const usage = await readUsage(this.#pool, { from, until, signal });
      signal.throwIfAborted();
      await this.#show(usage);
    } catch (error) {
      if (!signal.aborted) {
        setText(this.#said, /** @type {Error} */ (error).message);
        if (this.#shown !== this.#wanted()) {
          this.#hide(true);
        }
      }
    }
  }

  /** What is to be shown; a chart of another pool or time would be taken for it. */
  #wanted() {
    return `${this.#pool} ${this.#span}`;
  }

  /** @param {boolean} isHidden */
  #hide(isHidden) {
    this.#plot.hidden = isHidden;
    this.#table.hidden = isHidden;
  }

  /** @param {Usage} usage */
  async #show(usage) {
    const { samples, thresholds } = usage;
    this.#shown = this.#wanted();
    this.#hide(samples.length === 0);
    const most = fullest(samples);
    if (most === null) {
      setText(this.#said, 'Nothing was recorded in this time. Servers record once a minute.');
      return;
    }
    this.#said.replaceChildren(...summaryOf(most, thresholds));
    this.#lines.replaceChildren(...[...samples].reverse().map(sampleRow));
    this.#chart ??= import('./usage-chart.js').then(({ UsageChart }) => new UsageChart(this.#plot));
    (await this.#chart).show(usage);
  }
}

/**
 * @param {UsageSample} most
 * @param {number[]} thresholds
 */
function summaryOf(most, thresholds) {
  const threshold = reached(thresholds, most.used_percent);
  return [
    `At most ${most.used_percent} % of the values were used, at `,
    timeElement(most.at, TO_THE_SECOND),
    threshold === null ? '.' : `: the threshold of ${threshold} % was reached.`,
  ];
}

/** @param {UsageSample} sample */
function sampleRow({ at, used_percent, held, quarantined, free, capacity }) {
  return element(
    'tr',
    { 'data-testid': 'usage-sample' },
    element('th', { scope: 'row' }, timeElement(at, TO_THE_SECOND)),
    element('td', { 'data-label': 'used' }, `${used_percent} %`),
    element('td', { 'data-label': 'held' }, counted(held)),
    element('td', { 'data-label': 'quarantined' }, counted(quarantined)),
    element('td', { 'data-label': 'free' }, counted(free)),
    element('td', { 'data-label': 'values' }, counted(capacity)),
  );
}
