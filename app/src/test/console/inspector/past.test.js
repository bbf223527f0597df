import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAST_MAX, remember } from '../../../main/resources/static/inspector/past.js';

test('the latest id is the first, and each is there once', () => {
  assert.deepEqual(remember(['b', 'a'], ['a']), ['a', 'b']);
  assert.deepEqual(remember(['a'], ['b', 'c']), ['c', 'b', 'a']);
});

test('the oldest ids are forgotten', () => {
  const many = Array.from({ length: PAST_MAX }, (_, at) => String(at));
  const after = remember(many, ['new']);
  assert.equal(after.length, PAST_MAX);
  assert.equal(after[0], 'new');
  assert.ok(!after.includes(String(PAST_MAX - 1)));
});
