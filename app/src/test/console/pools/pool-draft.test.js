import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  declarationOf,
  draftProblem,
  listedBlocks,
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
