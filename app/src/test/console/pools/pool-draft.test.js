import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeOf,
  declarationOf,
  draftOf,
  draftProblem,
  listedBlocks,
  settingProblem,
} from '../../../main/resources/static/pools/pool-draft.js';

test('blocks are separated by lines, commas or semicolons', () => {
  assert.deepEqual(listedBlocks(' 10.0.0.0/24\n\n10.0.1.0/24, 10.0.2.0/24;10.0.3.0/24 '), [
    '10.0.0.0/24',
    '10.0.1.0/24',
    '10.0.2.0/24',
    '10.0.3.0/24',
  ]);
  assert.deepEqual(listedBlocks('1..1000  by 100'), ['1..1000 by 100']);
});

test('fields that are empty are left to the defaults of the server', () => {
  assert.deepEqual(declarationOf({ name: ' a ', blocks: '10.0.0.0/24', lease: ' ' }), {
    name: 'a',
    blocks: ['10.0.0.0/24'],
  });
});

test('one range is declared as a range, with the settings as the server names them', () => {
  const typed = { name: 'a', blocks: '1..9', per_client: '1,000', sticky: 'no', lease: '30s' };

  assert.deepEqual(declarationOf(typed), {
    name: 'a',
    range: '1..9',
    per_client: 1_000,
    sticky: false,
    lease: '30s',
  });
});

test('what is missing is said before the server is asked', () => {
  assert.equal(draftProblem({ name: 'A', blocks: '1..9' })?.field, 'name');
  assert.equal(draftProblem({ name: 'a', blocks: ' ' })?.field, 'blocks');
  assert.equal(draftProblem({ name: 'a', blocks: '1', per_client: 'x' })?.field, 'per_client');
  assert.equal(draftProblem({ name: 'a', blocks: '1' }), null);
});

/** @type {any} */
const POOL = {
  name: 'a',
  order: 'random',
  per_client: 1,
  per_owner: 3,
  sticky: true,
  lease: null,
  quarantine: '10m',
  history: '90d',
  after_failover: 'stop',
  thresholds: [80, 95],
};

test('a form that was not touched changes nothing', () => {
  assert.deepEqual(changeOf(draftOf(POOL), POOL), {});
});

test('a change has the fields that differ, as the server names them', () => {
  const typed = {
    ...draftOf(POOL),
    lease: '1h',
    per_owner: '',
    history: 'none',
    sticky: 'no',
    thresholds: '50, 90 %',
  };

  assert.deepEqual(changeOf(typed, POOL), {
    lease: '1h',
    history: 'none',
    sticky: false,
    thresholds: [50, 90],
    per_owner: 0,
  });
  assert.deepEqual(changeOf({ ...draftOf(POOL), thresholds: '', per_owner: '1,000' }, POOL), {
    thresholds: [],
    per_owner: 1_000,
  });
});

test('numbers and percentages are checked before the server is asked', () => {
  assert.equal(settingProblem(draftOf(POOL)), null);
  assert.equal(settingProblem({ per_client: 'two' })?.field, 'per_client');
  assert.equal(settingProblem({ thresholds: 'most' })?.field, 'thresholds');
});
