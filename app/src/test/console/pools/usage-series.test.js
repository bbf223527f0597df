import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fullest,
  reached,
  secondsOf,
  seriesOf,
  timeLabels,
} from '../../../main/resources/static/pools/usage-series.js';

/**
 * @param {string} at
 * @param {number} used
 * @param {number} [quarantined]
 */
function sample(at, used, quarantined = 0) {
  const counts = { held: used - quarantined, quarantined, free: 100 - used, capacity: 100 };
  return { at, ...counts, used_percent: used };
}

/** @param {ReturnType<typeof sample>[]} samples */
function usage(samples) {
  return { from: '', until: '', step: '5m', thresholds: [80], samples };
}

test('lengths of time are read as the server writes them', () => {
  assert.equal(secondsOf('5m'), 300);
  assert.equal(secondsOf('1h30m'), 5_400);
  assert.equal(secondsOf('7d'), 604_800);
  assert.equal(secondsOf('500ms'), 0.5);
});

test('a line has a point for each sample', () => {
  const series = seriesOf(
    usage([sample('2026-11-26T12:00:00Z', 10, 3), sample('2026-11-26T12:05:00Z', 20)]),
  );

  assert.deepEqual(series, {
    at: [1_795_694_400, 1_795_694_700],
    used: [10, 20],
    held: [7, 20],
  });
});

test('a line is interrupted where nothing was recorded', () => {
  const { at, used } = seriesOf(
    usage([sample('2026-11-26T12:00:00Z', 10), sample('2026-11-26T12:30:00Z', 20)]),
  );

  assert.deepEqual(used, [10, null, 20]);
  assert.equal(at[1] - at[0], 300);
});

test('the fullest sample is the first with the largest share', () => {
  assert.equal(fullest([]), null);
  const samples = [sample('a', 10), sample('b', 30), sample('c', 30), sample('d', 20)];
  assert.equal(fullest(samples)?.at, 'b');
});

test('the highest threshold that was reached is named', () => {
  assert.equal(reached([80, 95], 79.9), null);
  assert.equal(reached([80, 95], 80), 80);
  assert.equal(reached([80, 95], 100), 95);
  assert.equal(reached([], 100), null);
});

test('the date stands below the first time of a day', () => {
  const midnight = Date.parse('2026-11-26T00:00:00Z') / 1000;

  assert.deepEqual(timeLabels([midnight - 7_200, midnight, midnight + 7_200], 7_200), [
    '22:00\n2026-11-25',
    '00:00\n2026-11-26',
    '02:00',
  ]);
  assert.deepEqual(timeLabels([midnight], 86_400), ['2026-11-26']);
});
