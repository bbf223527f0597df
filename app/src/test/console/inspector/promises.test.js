import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MINTED, ORDERED } from '../../../main/resources/static/inspector/minting.js';
import { partOf } from '../../../main/resources/static/inspector/parts.js';
import {
  ORDERS,
  promiseOf,
  PROMISES,
  promiseText,
} from '../../../main/resources/static/inspector/promises.js';
import { layouts } from './layouts.js';

const limits = readFileSync('../docs/limits.md', 'utf8');
const mints = readFileSync('../docs/mints.md', 'utf8');

test('the bits of each part are those of the layout', () => {
  for (const { kind, bits } of PROMISES) {
    const counted = {};
    for (const field of layouts.find((row) => row.kind === kind)?.fields ?? []) {
      const { name } = partOf(field);
      counted[name] = (counted[name] ?? 0) + field.bits;
    }
    assert.deepEqual(counted, bits, kind);
  }
});

test('the last year is that of docs/limits.md', () => {
  for (const { kind, until } of PROMISES) {
    const row = limits.match(new RegExp(`\\| \`${kind.replace('-', ' ')}\` \\| (\\d+) \\|`));
    assert.equal(until, row ? Number(row[1]) : undefined, kind);
  }
});

test('each order promises what docs/mints.md says of it', () => {
  for (const { order, promise } of ORDERS) {
    const row = mints.split('\n').find((line) => line.includes(`| \`${order}\` |`)) ?? '';
    assert.equal(row.split('|')[3]?.trim(), promise, order);
  }
});

test('every kind that can be regenerated has its promise', () => {
  for (const kind of [...MINTED.map(([name]) => name), ...ORDERED]) {
    assert.ok(promiseOf(kind), kind);
  }
  assert.match(
    promiseText('ulid'),
    /Bits: time 48, random or content 80\. Its time ends in the year 10889\./,
  );
  assert.equal(promiseText('sequence'), '');
});
