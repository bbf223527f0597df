import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changesOf,
  changesText,
  heatOf,
  longestRun,
} from '../../../main/resources/static/inspector/changes.js';

test('characters are counted in how many steps they change', () => {
  assert.deepEqual(changesOf(['aa0', 'ab1', 'ab2']), { pairs: 2, counts: [0, 1, 2] });
  assert.deepEqual(changesOf(['abc']), { pairs: 0, counts: [0, 0, 0] });
});

test('the sentences count characters from 1', () => {
  assert.equal(
    changesText({ pairs: 2, counts: [0, 0, 1, 2, 2] }),
    'Characters 1 to 2 never change. Character 3 sometimes changes, in 50 % of the steps. Characters 4 to 5 always change.',
  );
  assert.match(changesText({ pairs: 100, counts: [20, 70] }), /change, in 20 to 70 % of the steps/);
  assert.equal(
    changesText({ pairs: 1, counts: [0, 1, 0] }),
    'Characters 1, 3 never change. Character 2 always changes.',
  );
  assert.equal(changesText({ pairs: 0, counts: [0] }), '');
});

test('only what never changes has no heat, and only what always changes the most', () => {
  assert.equal(heatOf(0, 100), 0);
  assert.equal(heatOf(1, 100), 1);
  assert.equal(heatOf(100, 100), 4);
  assert.ok(heatOf(74, 100) < 4);
});

test('the longest run has one time', () => {
  assert.deepEqual(longestRun(['1a', '2a', '2b', '2c', '3a'], [[0, 1]]), ['2a', '2b', '2c']);
  assert.deepEqual(longestRun([], [[0, 1]]), []);
});
