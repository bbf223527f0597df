import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressChanged,
  claimsPerSecond,
  countsOf,
  initialState,
  jumpAnswered,
  mapLoaded,
  mapUnchanged,
  noticeOf,
  pollFailed,
  poolWatched,
  poolsLoaded,
  pollSucceeded,
  selectedPool,
  timePassed,
} from '../../../main/resources/static/pools/pool-state.js';
import { claimsSearched } from '../../../main/resources/static/pools/claims-state.js';
import { cellPinned, cellUnpinned } from '../../../main/resources/static/pools/cursor-state.js';
import { after, listed, map, pool, stateOf } from './states.js';

const OVERVIEW = { pool: null, tab: 'map', value: '', range: null };
const PAGE_OF_A = { ...OVERVIEW, pool: 'a' };
const PAGE_OF_B = { ...OVERVIEW, pool: 'b' };
const NOWHERE = { ...OVERVIEW, pool: 'nowhere' };

test('the address says whether a pool has the page to itself', () => {
  assert.equal(initialState(OVERVIEW).page, 'overview');
  assert.equal(initialState(PAGE_OF_A).page, 'pool');
  assert.equal(initialState({ ...OVERVIEW, pool: '' }).page, 'overview');
});

test('no notice is shown before the server has answered', () => {
  assert.equal(noticeOf(initialState(PAGE_OF_A)), '');
  assert.equal(selectedPool(initialState(PAGE_OF_A)), null);
});

test('the overview shows no single pool', () => {
  const state = after(initialState(OVERVIEW), [poolsLoaded, listed(['a', 'b'])]);

  assert.equal(selectedPool(state), null);
  assert.equal(noticeOf(state), '');
});

test('without a pool the overview says how to create one', () => {
  const state = after(initialState(OVERVIEW), [poolsLoaded, listed([])]);

  assert.match(noticeOf(state), /no pool yet.*mintmark\.yaml/);
});

test('the page of a pool that does not exist says so', () => {
  const state = after(initialState(NOWHERE), [poolsLoaded, listed(['a'])]);

  assert.equal(noticeOf(state), 'There is no pool “nowhere”.');
  assert.equal(selectedPool(state), null);
});

test('a database that does not answer is named where its pools would be', () => {
  const outage = 'The database “eu” does not answer: its pools are not shown.';
  const others = after(initialState(OVERVIEW), [poolsLoaded, listed(['a'], ['eu'])]);
  const none = after(initialState(OVERVIEW), [poolsLoaded, listed([], ['eu'])]);
  const page = after(initialState(NOWHERE), [poolsLoaded, listed(['a'], ['eu'])]);

  assert.equal(noticeOf(others), outage);
  assert.equal(noticeOf(none), outage);
  assert.equal(noticeOf(page), outage);
  assert.equal(noticeOf(after(stateOf(), [poolsLoaded, listed(['a'], ['eu'])])), '');
});

test('another pool begins with nothing of the one before', () => {
  const state = after(
    stateOf('fh'),
    [cellPinned, 1],
    [claimsSearched, { by: 'client', text: 'vm-1' }],
    [jumpAnswered, 'no such value'],
    [addressChanged, PAGE_OF_B],
  );

  assert.equal(state.selected, 'b');
  assert.equal(state.window.map, null);
  assert.equal(state.window.etag, '');
  assert.equal(state.cursor.pinned, null);
  assert.equal(state.details, null);
  assert.deepEqual(state.samples, []);
  assert.equal(state.claims.search.text, '');
  assert.equal(state.jumpMessage, '');
});

test('the selected value is kept in the state, and with it in the address', () => {
  const pinned = after(stateOf('fh'), [cellPinned, 1]);

  assert.equal(pinned.value, '2');
  assert.equal(after(pinned, cellUnpinned).value, '');
});

test('another tab leaves the map as it is', () => {
  const claims = { ...PAGE_OF_A, tab: 'claims' };
  const state = after(stateOf('fh'), [cellPinned, 1], [addressChanged, claims]);

  assert.equal(state.tab, 'claims');
  assert.equal(state.cursor.pinned, 1);
});

test('an address without a value selects none', () => {
  const state = after(stateOf('fh'), [cellPinned, 1], [addressChanged, PAGE_OF_A]);

  assert.equal(state.cursor.pinned, null);
  assert.equal(state.details, null);
});

test('an address with a value keeps it until the map shows it', () => {
  const state = after(stateOf('fh'), [addressChanged, { ...PAGE_OF_B, value: '9' }]);

  assert.equal(state.value, '9');
});

test('claims per second are those of the last five seconds', () => {
  const state = after(
    stateOf('ffff'),
    [mapLoaded, map('hfff'), '"2"', 1_000],
    [mapUnchanged, 4_000],
    [mapLoaded, map('qhhf'), '"3"', 5_500],
  );

  // The first map of the window, at 0, is too old; the claim at 1,000 begins the span.
  assert.equal(claimsPerSecond(state.samples), 2 / 4.5);
});

test('claims per second are unknown within the first second', () => {
  assert.equal(claimsPerSecond([]), null);
  assert.equal(claimsPerSecond(stateOf('f').samples), null);
  const state = after(stateOf('f'), [mapLoaded, map('h'), '"2"', 999]);
  assert.equal(claimsPerSecond(state.samples), null);
});

test('a map of other values counts no claims', () => {
  const state = after(stateOf('ff'), [mapLoaded, map('hhh'), '"2"', 1_000]);

  assert.equal(claimsPerSecond(state.samples), 0);
});

test('a pool that is watched replaces the one that was loaded', () => {
  const state = after(stateOf('ff'), [poolWatched, pool('a', { free: 3, held: 1 })]);

  assert.equal(selectedPool(state)?.held, 1);
  assert.equal(state.pools.length, 2);
});

test('a pool that is watched but not listed changes nothing', () => {
  const before = stateOf('ff');

  assert.equal(after(before, [poolWatched, pool('z')]), before);
  assert.equal(after(initialState(PAGE_OF_A), [poolWatched, pool('a')]).pools, null);
});

test('claims per second fall while no change is reported', () => {
  const claimed = after(stateOf('ff'), [mapLoaded, map('hf'), '"2"', 1_000]);

  assert.equal(claimsPerSecond(after(claimed, [timePassed, 4_000]).samples), 1 / 4);
  assert.equal(
    claimsPerSecond(after(claimed, [timePassed, 4_000], [timePassed, 7_000]).samples),
    0,
  );
  const unknown = stateOf();
  assert.equal(after(unknown, [timePassed, 1_000]), unknown);
});

test('the reason of a rejected poll is shown until a poll succeeds', () => {
  const failed = after(stateOf('f'), [pollFailed, 'too many requests']);
  assert.equal(noticeOf(failed), 'too many requests');

  assert.equal(noticeOf(after(failed, [pollFailed, ''])), 'too many requests');
  assert.equal(noticeOf(after(failed, pollSucceeded)), '');
});

test('after a failed poll the next map is loaded without an ETag, and the rate starts again', () => {
  const state = after(stateOf('f'), [pollFailed, '']);

  assert.equal(state.window.etag, '');
  assert.deepEqual(state.samples, []);
  assert.notEqual(state.window.map, null);
});

test('a successful poll after another changes nothing', () => {
  const state = stateOf('f');

  assert.equal(pollSucceeded(state), state);
});

test('the counts are those of the map if it has all values, and those of the pool otherwise', () => {
  const declared = pool('a', { free: 9, held: 1 });

  assert.equal(countsOf(declared, map('hhqdxf')).held, 2);
  assert.equal(countsOf(declared, map('hhqdxf')).quarantined, 1);
  assert.equal(countsOf(declared, map('hh', { total: 10 })).held, 1);
  assert.equal(countsOf(declared, null).free, 9);
});
