import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, percent } from '../../../main/resources/static/common/numbers.js';

test('counts are grouped, and long ones are powers of ten', () => {
  assert.equal(counted(2_044), '2,044');
  assert.equal(counted(2 ** 64), '1.84 × 10¹⁹');
});

test('a share is 0 % only of nothing and 100 % only of everything', () => {
  assert.equal(percent(0, 9), '0 %');
  assert.equal(percent(0, 0), '0 %');
  assert.equal(percent(1, 1e6), 'under 0.1 %');
  assert.equal(percent(1, 30), '3.3 %');
  assert.equal(percent(1, 2), '50 %');
  assert.equal(percent(99_999, 100_000), '99.9 %');
  assert.equal(percent(7, 7), '100 %');
});
