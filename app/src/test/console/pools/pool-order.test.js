import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf, usedShare } from '../../../main/resources/static/pools/pool-level.js';
import { found } from '../../../main/resources/static/pools/pool-order.js';
import { pool } from './states.js';

function listed(name, settings) {
  return pool(name, { blocks: [], lists: [], ...settings });
}

const POOLS = [
  listed('workers', { capacity: 1_024, free: 1_000, held: 24, blocks: ['0..1023'] }),
  listed('public', { capacity: 10, free: 1, held: 8, quarantined: 1, blocks: ['45.67.80.0/28'] }),
  listed('codes', { capacity: 2, free: 2, held: 0, lists: ['spring'] }),
];

test('pools are found by part of their name, block or list, in any case', () => {
  assert.deepEqual(names(found(POOLS, ' WORK', 'name')), ['workers']);
  assert.deepEqual(names(found(POOLS, '67.80', 'name')), ['public']);
  assert.deepEqual(names(found(POOLS, 'spring', 'name')), ['codes']);
  assert.deepEqual(names(found(POOLS, 'x', 'name')), []);
});

test('pools are ordered by name, share used, free values or held values', () => {
  assert.deepEqual(names(found(POOLS, '', 'name')), ['codes', 'public', 'workers']);
  assert.deepEqual(names(found(POOLS, '', 'used')), ['public', 'workers', 'codes']);
  assert.deepEqual(names(found(POOLS, '', 'free')), ['public', 'codes', 'workers']);
  assert.deepEqual(names(found(POOLS, '', 'held')), ['workers', 'public', 'codes']);
});

test('quarantined and draining values count as used', () => {
  const used = { held: 3, quarantined: 4, draining: 1 };

  assert.equal(usedShare(pool('a', { capacity: 10, free: 2, ...used })), 0.8);
  assert.equal(usedShare(pool('a', { capacity: 2 ** 64, free: 2 ** 64, ...used })), 8 / 2 ** 64);
  assert.equal(usedShare(pool('a', { capacity: 0, free: 0 })), 0);
});

test('a pool is marked from its first threshold on, and again from its last', () => {
  const level = (free) => levelOf(pool('a', { capacity: 1_000, free, held: 1_000 - free }));

  assert.deepEqual(level(201), { level: 'ok', word: '' });
  assert.deepEqual(level(200), { level: 'warning', word: 'filling up' });
  assert.deepEqual(level(50), { level: 'critical', word: 'nearly exhausted' });
  assert.equal(level(0).word, 'exhausted');
  assert.equal(levelOf(pool('a', { capacity: 0, free: 0 })).word, '');
  const half = { capacity: 10, free: 5, held: 5 };
  assert.equal(levelOf(pool('a', { ...half, thresholds: [50, 60, 70] })).level, 'warning');
  assert.equal(levelOf(pool('a', { ...half, thresholds: [50] })).level, 'critical');
  assert.equal(levelOf(pool('a', { ...half, thresholds: [] })).level, 'ok');
});

function names(pools) {
  return pools.map(({ name }) => name);
}
