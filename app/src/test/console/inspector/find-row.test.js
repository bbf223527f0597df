import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summary } from '../../../main/resources/static/inspector/find-row.js';

/**
 * @param {string} collection
 * @param {'found' | 'none' | 'not_looked_at'} outcome
 */
function answer(collection, outcome) {
  return { collection, outcome, rows: [], more: false, reason: null, detail: null };
}

test('the summary names each collection once', () => {
  assert.equal(
    summary([
      answer('meats', 'none'),
      answer('payments', 'found'),
      answer('tracks', 'not_looked_at'),
      answer('notes', 'none'),
    ]),
    'Found in payments. No row in meats, notes. Not looked at: tracks.',
  );
  assert.equal(summary([answer('meats', 'none')]), 'No row in meats.');
});

test('what was not looked at is never called missing', () => {
  assert.equal(summary([answer('meats', 'not_looked_at')]), 'Not looked at: meats.');
});

test('a long list of collections is counted', () => {
  const many = Array.from({ length: 20 }, (_, at) => answer(`c${at}`, 'none'));
  assert.equal(summary(many), 'No row in c0, c1, c2, c3, c4, c5, c6, c7 and 12 others.');
  assert.match(summary(many.slice(0, 9)), /c8\.$/);
});
