import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  partMoved,
  partName,
  partText,
  SHADES,
  shadeOf,
  shortCount,
} from '../../../main/resources/static/pools/density-scale.js';

const EMPTY = { held: 0, quarantined: 0, draining: 0, excluded: 0, size: 2 ** 56 };

test('one held value of 2^56 is seen, and shades follow the logarithm of the share', () => {
  const shade = (settings) => shadeOf({ ...EMPTY, ...settings });

  assert.equal(shade({}), 0);
  assert.equal(shade({ held: 1 }), 1);
  assert.equal(shade({ quarantined: 1 }), 1);
  assert.equal(shade({ size: 1_000, held: 1 }), 2);
  assert.equal(shade({ size: 1_000, held: 10 }), 3);
  assert.equal(shade({ size: 1_000, held: 100 }), 4);
  assert.equal(shade({ size: 1_000, held: 400, excluded: 200 }), SHADES - 1);
  assert.equal(shade({ size: 10, excluded: 10 }), 0);
});

test('counts are short, and nothing is written for none', () => {
  assert.equal(shortCount(0), '');
  assert.equal(shortCount(20), '20');
  assert.equal(shortCount(1_234), '1.2K');
  assert.equal(shortCount(3_000_000), '3M');
});

test('a part is named by its CIDR block, its range or its value, with what is in it', () => {
  const cidr = { ...EMPTY, cidr: '10.0.0.0/16', first: '10.0.0.1', last: '10.0.255.255' };
  const range = { ...EMPTY, cidr: null, first: '1', last: '4096', size: 4_096 };

  assert.equal(partName(cidr), '10.0.0.0/16');
  assert.equal(partName(range), '1–4096');
  assert.equal(partName({ ...range, last: '1' }), '1');
  assert.equal(
    partText({ ...range, held: 20, quarantined: 1 }),
    '1–4096: 20 held, 1 quarantined of 4,096',
  );
});

test('the arrow keys move between parts, and stay at the edges', () => {
  assert.equal(partMoved('ArrowRight', 0, 16, 256), 1);
  assert.equal(partMoved('ArrowLeft', 0, 16, 256), 0);
  assert.equal(partMoved('ArrowDown', 3, 16, 256), 19);
  assert.equal(partMoved('ArrowUp', 3, 16, 256), 3);
  assert.equal(partMoved('End', 3, 16, 256), 255);
  assert.equal(partMoved('Tab', 3, 16, 256), null);
});
