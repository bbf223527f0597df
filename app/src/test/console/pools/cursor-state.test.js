import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellPinned,
  cellPointed,
  cellRevealed,
  cellStepped,
  cellUnpinned,
  detailsFailed,
  historyLoaded,
  holderLoaded,
  indexOfValue,
  releaseAnswered,
  releaseAsked,
  valueSought,
  windowOpened,
} from '../../../main/resources/static/pools/cursor-state.js';
import { mapLoaded, mapUnchanged } from '../../../main/resources/static/pools/pool-state.js';
import { after, claim, map, stateOf } from './states.js';

const TAKEN = { client: 'vm-2', ended_at: null };
const PAST = { client: 'vm-3', ended_at: '2026-11-22T15:00:00Z' };

test('a pinned cell has details, and no longer when it is unpinned', () => {
  const pinned = after(stateOf('fhq'), [cellPinned, 1]);
  assert.equal(pinned.details?.value, '2');
  assert.equal(pinned.details?.state, 'held');

  assert.equal(after(pinned, cellUnpinned).details, null);
});

test('the cell under the mouse is shown until the mouse leaves', () => {
  const pointed = after(stateOf('fhq'), [cellPinned, 1], [cellPointed, 2]);
  assert.equal(pointed.details?.state, 'quarantined');

  assert.equal(after(pointed, [cellPointed, null]).details?.state, 'held');
});

test('a cell that is pinned is shown even while the mouse is at another', () => {
  const state = after(stateOf('fhq'), [cellPointed, 2], [cellPinned, 0]);

  assert.equal(state.details?.value, '1');
});

test('the mouse does not take the details away from an open question', () => {
  const asked = after(
    stateOf('fhq'),
    [cellPinned, 1],
    [holderLoaded, claim('7')],
    [releaseAsked, true],
  );

  assert.equal(after(asked, [cellPointed, 2]), asked);
  assert.equal(after(asked, [releaseAsked, false], [cellPointed, 2]).details?.value, '3');
});

test('a change of state drops the claim and the question, and keeps the rest of the details', () => {
  const state = after(
    stateOf('fhq'),
    [cellPinned, 1],
    [holderLoaded, claim('7')],
    [historyLoaded, [PAST]],
    [detailsFailed, 'said'],
    [releaseAsked, true],
    [mapLoaded, map('fqq'), '"2"', 500],
  );

  assert.deepEqual(state.details, {
    value: '2',
    state: 'quarantined',
    claim: null,
    history: [PAST],
    message: 'said',
    isConfirming: false,
  });
});

test('details stay the same object while their cell does not change', () => {
  const pinned = after(stateOf('fhq'), [cellPinned, 1], [holderLoaded, claim('7')]);

  assert.equal(after(pinned, [mapLoaded, map('hhh'), '"2"', 500]).details, pinned.details);
});

test('the history has only claims that have ended', () => {
  const state = after(stateOf('h'), [cellPinned, 0], [historyLoaded, [TAKEN, PAST]]);

  assert.deepEqual(state.details?.history, [PAST]);
});

test('the question is taken back if the claim is another one', () => {
  const asked = after(
    stateOf('h'),
    [cellPinned, 0],
    [holderLoaded, claim('7')],
    [releaseAsked, true],
  );

  assert.equal(after(asked, [holderLoaded, claim('7')]).details?.isConfirming, true);
  assert.equal(after(asked, [holderLoaded, claim('8')]).details?.isConfirming, false);
});

test('an answered release ends the question and shows the message', () => {
  const state = after(
    stateOf('h'),
    [cellPinned, 0],
    [holderLoaded, claim('7')],
    [releaseAsked, true],
    [releaseAnswered, '1 was released.'],
  );

  assert.equal(state.details?.message, '1 was released.');
  assert.equal(state.details?.claim, null);
  assert.equal(state.details?.isConfirming, false);
});

test('answers about details that are closed change nothing', () => {
  const state = stateOf('h');

  assert.equal(holderLoaded(state, claim('7')), state);
  assert.equal(historyLoaded(state, [PAST]), state);
  assert.equal(releaseAnswered(state, 'late'), state);
});

test('the cells are the same array as long as the values are the same', () => {
  const state = stateOf('ff');

  assert.equal(after(state, [mapLoaded, map('fh'), '"2"', 500]).window.cells, state.window.cells);
  assert.notEqual(
    after(state, [mapLoaded, map('fff'), '"2"', 500]).window.cells,
    state.window.cells,
  );
});

test('the cursor stays at its value when a block is added before it, and leaves with it', () => {
  const before = { block: '90..91', count: 2, first: '90', values: null };
  const own = map('ff').blocks[0];
  const state = after(stateOf('ff'), [cellPinned, 1]);

  const moved = after(state, [mapLoaded, map('ffff', { blocks: [before, own] }), '"2"', 500]);
  const left = after(state, [mapLoaded, map('ff', { blocks: [before] }), '"2"', 500]);

  assert.equal(moved.cursor.pinned, 3);
  assert.equal(moved.details?.value, '2');
  assert.equal(left.cursor.pinned, null);
  assert.equal(left.details, null);
});

test('a value that is sought is revealed once, as soon as the map has it', () => {
  const opened = after(stateOf('ff'), [windowOpened, 4_096, '3']);
  assert.equal(opened.window.from, 4_096);
  assert.equal(opened.window.map, null);

  const elsewhere = after(opened, [mapLoaded, map('ff'), '"2"', 500]);
  assert.equal(elsewhere.cursor.revealed, null);

  const found = after(elsewhere, [mapLoaded, map('ffh'), '"3"', 1_000]);
  assert.deepEqual(found.cursor, { pinned: 2, pointed: null, revealed: { index: 2 } });
  const later = after(found, cellUnpinned, [mapLoaded, map('fff'), '"4"', 1_500]);
  assert.equal(later.cursor.pinned, null);
});

test('a value of the present window is sought in the next map, which has its new state', () => {
  const sought = after(stateOf('ff'), [valueSought, '2']);
  assert.equal(sought.cursor.pinned, null);

  assert.equal(after(sought, [mapLoaded, map('fh'), '"2"', 500]).details?.state, 'held');
});

test('a value that is sought is revealed although the map has not changed', () => {
  const sought = after(stateOf('fh'), [valueSought, '2'], [mapUnchanged, 500]);

  assert.equal(sought.details?.state, 'held');
  assert.equal(sought.window.sought, null);
});

test('revealing a cell again scrolls to it again', () => {
  const once = after(stateOf('ff'), [cellRevealed, 1]);
  const twice = after(once, [cellRevealed, 1]);

  assert.deepEqual(twice.cursor, once.cursor);
  assert.notEqual(twice.cursor.revealed, once.cursor.revealed);
});

test('steps end at the first and the last value', () => {
  const last = after(stateOf('fhq'), [cellPinned, 1], [cellStepped, 1], [cellStepped, 1]);
  assert.equal(last.cursor.pinned, 2);
  assert.deepEqual(last.cursor.revealed, { index: 2 });

  const first = after(last, [cellStepped, -1], [cellStepped, -1], [cellStepped, -1]);
  assert.equal(first.cursor.pinned, 0);
});

test('a step from a cell that is only pointed at pins its neighbour', () => {
  assert.equal(after(stateOf('fhq'), [cellPointed, 1], [cellStepped, 1]).cursor.pinned, 2);
  assert.equal(after(stateOf('fhq'), [cellStepped, 1]).cursor.pinned, null);
});

test('cells of a window that is still loading cannot be pinned or pointed at', () => {
  const loading = after(stateOf('ff'), [windowOpened, 4_096]);

  assert.equal(after(loading, [cellPinned, 1]).cursor.pinned, null);
  assert.equal(after(loading, [cellPointed, 1]).details, null);
});

test('no window starts before the first value', () => {
  assert.equal(after(stateOf('ff'), [windowOpened, -4_096]).window.from, 0);
});

test('a value has its index only in the window that has it', () => {
  assert.equal(indexOfValue(stateOf('ff'), '2'), 1);
  assert.equal(indexOfValue(stateOf('ff'), '3'), null);
  assert.equal(indexOfValue(stateOf(), '1'), null);
});
