import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changedIndexes,
  stateAt,
  tally,
} from '../../../main/resources/static/pools/value-states.js';

test('every letter of a map is a state', () => {
  assert.deepEqual(
    [...'fhqdx'].map((_, at) => stateAt('fhqdx', at)),
    ['free', 'held', 'quarantined', 'draining', 'excluded'],
  );
});

test('a tally counts every state', () => {
  assert.deepEqual(tally('fhhqx'), { free: 1, held: 2, quarantined: 1, draining: 0, excluded: 1 });
});

test('changes are found by their index', () => {
  assert.deepEqual(changedIndexes('fhq', 'fqf'), [1, 2]);
  assert.deepEqual(changedIndexes('fhq', 'fhq'), []);
});
