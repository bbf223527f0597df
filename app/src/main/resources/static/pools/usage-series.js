/**
 * How full a pool was, as the series of a chart and in words.
 *
 * @import {PoolUsage, UsageSample} from './api.js'
 */

/** @type {Readonly<Record<string, number>>} */
const SECONDS = Object.freeze({ s: 1, m: 60, h: 3_600, d: 86_400 });

/**
 * @param {string} length of time as the server writes it: `5m`, `1h30m`
 * @returns {number} its seconds
 */
export function secondsOf(length) {
  return [...length.matchAll(/(\d+)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unit === 'ms' ? 0.001 : SECONDS[unit]),
    0,
  );
}

/**
 * @typedef {object} Series
 * @property {number[]} at in seconds since 1970
 * @property {(number | null)[]} used in percent; null where nothing was recorded
 * @property {(number | null)[]} held in percent
 */

/**
 * The series of a chart. Where samples are missing, an empty point interrupts the line.
 *
 * @param {PoolUsage} usage
 * @returns {Series}
 */
export function seriesOf({ step, samples }) {
  const length = secondsOf(step);
  /** @type {Series} */
  const series = { at: [], used: [], held: [] };
  for (const sample of samples) {
    const at = Date.parse(sample.at) / 1000;
    const before = series.at[series.at.length - 1];
    if (before !== undefined && at - before > 1.5 * length) {
      series.at.push(before + length);
      series.used.push(null);
      series.held.push(null);
    }
    series.at.push(at);
    series.used.push(sample.used_percent);
    series.held.push(share(sample.held, sample.capacity));
  }
  return series;
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return whole === 0 ? 0 : (100 * part) / whole;
}

/**
 * The sample in which the largest share was used; null if there is none.
 *
 * @param {UsageSample[]} samples
 */
export function fullest(samples) {
  return samples.reduce(
    (most, sample) => (most === null || sample.used_percent > most.used_percent ? sample : most),
    /** @type {UsageSample | null} */ (null),
  );
}

/**
 * The highest threshold that a share has reached; null if it is below all.
 *
 * @param {number[]} thresholds
 * @param {number} usedPercent
 */
export function reached(thresholds, usedPercent) {
  return thresholds.filter((threshold) => usedPercent >= threshold).at(-1) ?? null;
}

/**
 * What stands below an axis of time: the time of day, and the date below the first one of a day; or
 * the date alone. In UTC.
 *
 * @param {number[]} at in seconds since 1970
 * @param {number} step from one to the next, in seconds
 * @returns {string[]}
 */
export function timeLabels(at, step) {
  let day = '';
  return at.map((seconds) => {
    const [date, time] = new Date(seconds * 1000).toISOString().slice(0, 16).split('T');
    const isSame = date === day;
    day = date;
    if (step >= SECONDS.d) {
      return date;
    }
    return isSame ? time : `${time}\n${date}`;
  });
}
