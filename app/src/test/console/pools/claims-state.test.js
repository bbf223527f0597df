import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  claimGranted,
  claimRefused,
  claimsFailed,
  claimsSearched,
  claimsLoaded,
  claimsTurned,
  listedClaimAnswered,
  listedReleaseAsked,
  startOf,
} from '../../../main/resources/static/pools/claims-state.js';
import { after, claim, stateOf } from './states.js';

const FIRST = { claims: [claim('1')], next: '10.0.0.9' };
const LAST = { claims: [claim('2')], next: null };
const EMPTY = { claims: [], next: null };

test('pages are turned by where they start', () => {
  const second = after(stateOf(), [claimsLoaded, FIRST], [claimsTurned, 1]);
  assert.equal(startOf(second.claims), '10.0.0.9');

  assert.equal(startOf(after(second, [claimsTurned, -1]).claims), '');
});

test('the first and the last page stay where they are', () => {
  const only = after(stateOf(), [claimsLoaded, LAST]);

  assert.deepEqual(after(only, [claimsTurned, 1]).claims.starts, ['']);
  assert.deepEqual(after(only, [claimsTurned, -1]).claims.starts, ['']);
});

test('a page that has become empty is left for the one before, without being shown', () => {
  const second = after(stateOf(), [claimsLoaded, FIRST], [claimsTurned, 1]);

  const state = after(second, [claimsLoaded, EMPTY]);

  assert.equal(startOf(state.claims), '');
  assert.deepEqual(state.claims.shown, FIRST.claims);
});

test('an empty first page is shown', () => {
  assert.deepEqual(after(stateOf(), [claimsLoaded, EMPTY]).claims.shown, []);
});

test('the claims of another client begin at the first page', () => {
  const state = after(
    stateOf(),
    [claimsLoaded, FIRST],
    [claimsTurned, 1],
    [claimsSearched, { by: 'client', text: 'vm-1' }],
  );

  assert.equal(state.claims.search.text, 'vm-1');
  assert.equal(startOf(state.claims), '');
});

test('the error of a page is removed when a page loads', () => {
  const failed = after(stateOf(), [claimsFailed, 'no']);
  assert.equal(failed.claims.message, 'no');

  assert.equal(after(failed, [claimsLoaded, LAST]).claims.message, '');
});

test('the message about a claim stays when the page is loaded again', () => {
  const state = after(stateOf(), [listedClaimAnswered, '2 was released.'], [claimsLoaded, LAST]);

  assert.equal(state.claims.message, '2 was released.');
});

test('the answer to a release ends the question', () => {
  const asked = after(stateOf(), [listedReleaseAsked, '7']);
  assert.equal(asked.claims.confirming, '7');

  assert.equal(after(asked, [listedClaimAnswered, 'done']).claims.confirming, null);
});

test('the form has the latest result', () => {
  const granted = after(
    stateOf(),
    [claimRefused, 'no'],
    [claimGranted, { claims: [claim('7')], isNew: true }],
  );

  assert.deepEqual(granted.claimResult, { outcome: 'granted', claims: [claim('7')], isNew: true });
  assert.deepEqual(after(granted, [claimRefused, 'no']).claimResult, {
    outcome: 'refused',
    message: 'no',
  });
});
