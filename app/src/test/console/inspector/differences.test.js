import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  byText,
  chain,
  distance,
  lengthOf,
  nanosOf,
  ordersOf,
} from '../../../main/resources/static/inspector/differences.js';

test('a time has up to nine digits after the second', () => {
  assert.equal(nanosOf('1970-01-01T00:00:01Z'), 1_000_000_000n);
  assert.equal(nanosOf('1970-01-01T00:00:00.0000001Z'), 100n);
  assert.equal(nanosOf('1969-12-31T23:59:59.999Z'), -1_000_000n);
  assert.equal(nanosOf('yesterday'), null);
});

test('a length of time has its two greatest units', () => {
  assert.equal(lengthOf(0n), '0 ms');
  assert.equal(lengthOf(2_000_000n), '2 ms');
  assert.equal(lengthOf(1_000_100n), '1 ms');
  assert.equal(lengthOf(1_500_000n), '1 ms 500 µs');
  assert.equal(lengthOf(86_400_000_000_000n), '1 day');
  assert.equal(lengthOf(3n * 86_400_000_000_000n + 3_600_000_000_000n), '3 days 1 h');
  assert.equal(lengthOf(63_113_904_000_000_000n), '2 years');
});

test('a distance says which is later', () => {
  const [early, late] = ['2022-03-31T15:23:55.999Z', '2022-03-31T15:23:56.001Z'];
  assert.equal(distance(late, early, 'A'), '2 ms later than A');
  assert.equal(distance(early, late, 'B'), '2 ms earlier than B');
  assert.equal(distance(early, early, 'A'), 'the same time as A');
  assert.equal(distance(null, early, 'A'), '');
});

test('equal items are equal in a chain', () => {
  const items = ['b', 'a', 'b'].map((key, at) => ({ name: 'ABC'[at], key }));
  assert.equal(chain(items, byText), 'B < A = C');
});

test('the order of texts can differ from the order of bytes', () => {
  const lower = { name: 'A', text: 'b', hex: '01', time: '2022-01-01T00:00:00Z' };
  const upper = { name: 'B', text: 'C', hex: '02', time: '2022-01-01T00:00:00.001Z' };
  assert.deepEqual(ordersOf([lower, upper]), [
    { by: 'Time', order: 'A < B' },
    { by: 'Text', order: 'B < A' },
    { by: 'Bytes', order: 'A < B' },
  ]);
});

test('what cannot be compared is named with the reason', () => {
  const uuid = { name: 'A', text: 'a', hex: '00'.repeat(16), time: '2022-01-01T00:00:00Z' };
  const number = { name: 'B', text: 'b', hex: '00'.repeat(8), time: null };
  const unknown = { name: 'C', text: 'c', hex: null, time: null };
  const reasons = (ids) => ordersOf(ids).map(({ order }) => order);
  assert.deepEqual(reasons([uuid, number]), [
    'not comparable: B without a time',
    'A < B',
    'not comparable: 8 and 16 bytes',
  ]);
  assert.match(reasons([uuid, unknown])[2], /bytes of some are not known/);
});
