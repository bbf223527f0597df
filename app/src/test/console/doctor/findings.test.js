import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  SEVERITIES,
  countBySeverity,
  filtered,
  isBlind,
  splitRemedy,
  summaryOf,
} from '../../../main/resources/static/doctor/findings.js';

/** @param {Partial<import('../../../main/resources/static/doctor/api.js').Finding>} values */
function finding(values) {
  return {
    check: 'key-runs-out',
    severity: /** @type {const} */ ('critical'),
    object: 'public.orders.id',
    found: '',
    threshold: '',
    remedy: '',
    saved_bytes: null,
    runs_out: null,
    ...values,
  };
}

/** @param {Partial<import('../../../main/resources/static/doctor/api.js').Report>} values */
function report(values) {
  return { tables: 2, findings: [], not_looked_at: [], unseen_tables: [], ...values };
}

const UNSEEN = { table: 'public.a', reason: 'no SELECT', remedy: 'grant select on a to r' };

test('a remedy is split into words and SQL', () => {
  assert.deepEqual(splitRemedy('alter table t add unique (id); analyze t'), {
    text: '',
    sql: 'alter table t add unique (id);\nanalyze t;',
  });
  assert.deepEqual(splitRemedy('drop the index: drop index concurrently public.i'), {
    text: 'drop the index',
    sql: 'drop index concurrently public.i;',
  });
});

test('a remedy that is no SQL stays as it is', () => {
  for (const remedy of [
    'make it bigint, with every column that refers to it: declare it in mintmark.yaml',
    'created by hand: see the log',
    '',
  ]) {
    assert.deepEqual(splitRemedy(remedy), { text: remedy, sql: '' });
  }
});

test('findings are filtered by severity, and by table or check', () => {
  const all = [
    finding({}),
    finding({ severity: 'warning', check: 'text-ids', object: 'public.lines.id' }),
    finding({ severity: 'notice', check: 'loose-ids', object: 'audit.log.id' }),
  ];

  assert.equal(filtered(all, new Set(SEVERITIES), '').length, 3);
  assert.deepEqual(filtered(all, new Set(['warning']), ''), [all[1]]);
  assert.deepEqual(filtered(all, new Set(SEVERITIES), ' AUDIT '), [all[2]]);
  assert.deepEqual(filtered(all, new Set(SEVERITIES), 'text-ids'), [all[1]]);
  assert.deepEqual(countBySeverity(all), { critical: 1, warning: 1, notice: 1 });
});

test('the summary never calls healthy what was not looked at', () => {
  assert.equal(summaryOf(report({})), 'No finding in 2 tables.');
  assert.equal(
    summaryOf(report({ unseen_tables: [UNSEEN] })),
    'No finding in what the role can read of 2 tables. 1 not looked at.',
  );
  assert.equal(
    summaryOf(report({ findings: [finding({}), finding({ severity: 'notice' })] })),
    '2 tables: 1 critical, 1 notice.',
  );
});

test('a role that can read no table is blind', () => {
  const blind = report({ tables: 1, unseen_tables: [UNSEEN] });
  assert.ok(isBlind(blind));
  assert.match(summaryOf(blind), /^The role can read none of 1 table,/);
  assert.ok(!isBlind(report({ tables: 1, unseen_tables: [{ ...UNSEEN, remedy: null }] })));
  assert.ok(!isBlind(report({ tables: 0 })));
});
