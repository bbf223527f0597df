import uPlot from '../vendor/uplot/uPlot.esm.js';
import { seriesOf, timeLabels } from './usage-series.js';

/** @import {PoolUsage} from './api.js' */

const HEIGHT_PIXELS = 260;
const Y_AXIS_PIXELS = 56;
const FONT = '12px system-ui, sans-serif';

/** A chart of the use of a pool over time, in the colours of the page. Loaded when it is needed. */
export class UsageChart {
  /** @type {uPlot | null} */
  #plot = null;
  /** @type {PoolUsage | null} */
  #usage = null;
  #root;

  /** @param {HTMLElement} root whose width the chart takes */
  constructor(root) {
    this.#root = root;
    new ResizeObserver(() => this.#resize()).observe(root);
    // A canvas does not follow the style sheet by itself.
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
  }

  /** @param {PoolUsage} usage */
  show(usage) {
    this.#usage = usage;
    this.#draw();
  }

  #resize() {
    const width = this.#root.clientWidth;
    if (this.#plot && width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({ width, height: HEIGHT_PIXELS });
    }
  }

  #draw() {
    this.#plot?.destroy();
    this.#plot = null;
    const width = this.#root.clientWidth;
    if (!this.#usage || width === 0) {
      return;
    }
    const { thresholds, from, until } = this.#usage;
    const { at, used, held } = seriesOf(this.#usage);
    // A step can begin before the time that was asked for.
    const start = Math.min(Date.parse(from) / 1000, at[0] - 1);
    const end = Date.parse(until) / 1000;
    const style = getComputedStyle(this.#root);
    /** @param {string} name */
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const axis = {
      stroke: colour('muted'),
      font: FONT,
      grid: { stroke: colour('line'), width: 1 },
      ticks: { stroke: colour('line'), width: 1 },
    };
    /** @param {number | null | undefined} value */
    const percentOf = (value) =>
      value === null || value === undefined ? '—' : `${value.toFixed(1)} %`;
    this.#plot = new uPlot(
      {
        width,
        height: HEIGHT_PIXELS,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        scales: {
          x: { range: [start, end] },
          y: { range: [0, 100] },
        },
        axes: [
          { ...axis, values: (_, at, __, ___, step) => timeLabels(at, step) },
          {
            ...axis,
            size: Y_AXIS_PIXELS,
            values: (_, values) => values.map((value) => `${value} %`),
          },
        ],
        series: [
          { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
          {
            label: 'used',
            stroke: colour('metal'),
            fill: `color-mix(in srgb, ${colour('metal')} 15%, transparent)`,
            width: 2,
            value: (_, value) => percentOf(value),
          },
          {
            label: 'held',
            stroke: colour('blue'),
            width: 1.5,
            dash: [2, 3],
            value: (_, value) => percentOf(value),
          },
          ...thresholds.map((threshold) => ({
            label: `threshold ${threshold} %`,
            stroke: colour('red'),
            width: 1,
            dash: [6, 4],
            points: { show: false },
            value: () => '',
          })),
        ],
      },
      [
        [start, ...at, end],
        [null, ...used, null],
        [null, ...held, null],
        ...thresholds.map((threshold) => new Array(at.length + 2).fill(threshold)),
      ],
      this.#root,
    );
  }
}
