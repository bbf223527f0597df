import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../../../main/resources/static/pools/import-report.js';

const PLAN = { format: 'csv', done: false, lines: 3, claimed: 1, held: 0, skipped: 1, rejected: 1 };

test('a plan says what would happen', () => {
  assert.equal(
    reportText({ ...PLAN, rejections: [] }),
    '3 lines (csv): 1 value would be claimed, 1 skipped, 1 rejected.',
  );
});

test('a report says what happened', () => {
  assert.equal(
    reportText({
      ...PLAN,
      done: true,
      claimed: 2,
      held: 1,
      skipped: 0,
      rejected: 0,
      rejections: [],
    }),
    '3 lines (csv): 2 values claimed, 1 held already.',
  );
});
