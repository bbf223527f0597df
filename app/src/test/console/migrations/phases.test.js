import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyCommand,
  byPhase,
  commandsOf,
  confirmingName,
  costText,
  durationText,
  isConfirmedBy,
  lockText,
  marginText,
  phaseStates,
  presentStep,
  progressText,
  runnerText,
} from '../../../main/resources/static/migrations/phases.js';

/**
 * @import {Migration, Phase, Step} from '../../../main/resources/static/migrations/api.js'
 */

/**
 * @param {number} ordinal
 * @param {Phase} phase
 * @param {Step['state']} state
 * @param {Partial<Step>} [values]
 * @returns {Step}
 */
function step(ordinal, phase, state, values = {}) {
  return {
    ordinal,
    phase,
    work: 'transaction',
    title: `step ${ordinal}`,
    target: 'public.orders',
    state,
    rows_done: 0,
    rows_estimated: 0,
    rows_per_second: null,
    started: null,
    ended: null,
    locks: [],
    ...values,
  };
}

/**
 * @param {Partial<Migration>} values
 * @returns {Migration}
 */
function migration(values) {
  return {
    migration: 1,
    state: 'applying',
    fingerprint: '44c80a9600bb72d6',
    paused: false,
    started: '2026-11-25T12:00:00Z',
    ended: null,
    runner: null,
    waits: null,
    tables: ['public.orders'],
    steps: [
      step(1, 'expand', 'done'),
      step(2, 'backfill', 'doing'),
      step(3, 'contract', 'pending'),
    ],
    limits: [],
    schemas_aside: [],
    ...values,
  };
}

test('a lock says what it blocks', () => {
  assert.equal(
    lockText({ table: 'public.orders', mode: 'access exclusive', held: 'briefly' }),
    'public.orders: ACCESS EXCLUSIVE, briefly; blocks reads and writes',
  );
  assert.equal(
    lockText({ table: 't', mode: 'of a later version', held: 'briefly' }),
    't: OF A LATER VERSION, briefly',
  );
});

test('a cost leaves out what is nothing', () => {
  const nothing = { rows: 0, wal_bytes: 0, disk_bytes: 0, seconds: 0 };
  assert.equal(costText(nothing), '');
  assert.equal(costText({ ...nothing, rows: 1 }), '1 row');
  assert.equal(
    costText({ rows: 3_200_000, wal_bytes: 1_572_864, disk_bytes: 20 * 2 ** 30, seconds: 200 }),
    '3,200,000 rows, about 3 min 20 s, 1.5 MiB of write-ahead log, 20 GiB on disk',
  );
});

test('a duration has two units at most', () => {
  assert.equal(durationText(0), '0 s');
  assert.equal(durationText(0.2), '1 s');
  assert.equal(durationText(60), '1 min');
  assert.equal(durationText(3_661), '1 h 1 min');
  assert.equal(durationText(90_000), '1 d 1 h');
});

test('progress has rows, rate and time left', () => {
  const some = { rows_done: 1_200, rows_estimated: 5_000 };
  assert.equal(progressText(step(1, 'backfill', 'doing')), '');
  assert.equal(progressText(step(1, 'backfill', 'doing', some)), '1,200 of about 5,000 rows, 24 %');
  assert.equal(
    progressText(step(1, 'backfill', 'doing', { ...some, rows_per_second: 300 })),
    '1,200 of about 5,000 rows, 24 %, 300 rows/s, about 13 s left',
  );
  assert.equal(
    progressText(
      step(1, 'backfill', 'doing', { rows_done: 9, rows_estimated: 5, rows_per_second: 3 }),
    ),
    '9 rows, 3 rows/s',
    'more rows than were estimated',
  );
});

test('the present step follows the direction', () => {
  assert.equal(presentStep(migration({}))?.ordinal, 2);
  const baking = [step(1, 'expand', 'done'), step(2, 'switch', 'done')];
  const all = [...baking, step(3, 'contract', 'pending')];
  assert.equal(presentStep(migration({ state: 'baking', steps: all })), null);
  assert.equal(presentStep(migration({ state: 'contracting', steps: all }))?.ordinal, 3);
  assert.equal(presentStep(migration({ state: 'rolling-back', steps: all }))?.ordinal, 2);
  const undone = baking.map((one) => ({ ...one, state: /** @type {const} */ ('undone') }));
  assert.equal(presentStep(migration({ state: 'rolled-back', steps: undone })), null);
});

test('phases are done, present or to come', () => {
  assert.deepEqual(
    phaseStates(migration({})).map(({ phase, state }) => `${phase} ${state}`),
    ['expand done', 'backfill present', 'bake pending', 'contract pending'],
  );
  const steps = [step(1, 'expand', 'done'), step(2, 'contract', 'pending')];
  assert.deepEqual(
    phaseStates(migration({ state: 'baking', steps })).map(({ state }) => state),
    ['done', 'present', 'pending'],
  );
});

test('a phase that was rolled back is undone, and one that never began is to come', () => {
  const steps = [step(1, 'expand', 'undone'), step(2, 'contract', 'pending')];
  assert.deepEqual(
    phaseStates(migration({ state: 'rolled-back', steps })).map(({ state }) => state),
    ['undone', 'pending', 'pending'],
  );
});

test('steps are grouped by phase in the order of phases', () => {
  assert.deepEqual(
    byPhase([step(1, 'switch', 'done'), step(2, 'expand', 'done')]).map(({ phase }) => phase),
    ['expand', 'switch'],
  );
});

test('what can be done depends on state and run', () => {
  const runner = { pid: 42, since: '2026-11-25T12:00:00Z' };
  assert.deepEqual(commandsOf(migration({ runner })), ['pause']);
  assert.deepEqual(commandsOf(migration({ runner, paused: true })), []);
  assert.deepEqual(commandsOf(migration({})), ['resume', 'rollback']);
  assert.deepEqual(commandsOf(migration({ state: 'baking' })), ['contract', 'rollback']);
  assert.deepEqual(commandsOf(migration({ state: 'contracting' })), ['resume']);
  assert.deepEqual(commandsOf(migration({ state: 'contracted' })), []);
});

test('who works on it is said in one sentence', () => {
  const runner = { pid: 42, since: '2026-11-25T12:00:00Z' };
  assert.match(runnerText(migration({ runner })), /^Process 42 .* works on it\.$/);
  assert.match(runnerText(migration({ runner, paused: true })), /ends after its transaction/);
  assert.match(runnerText(migration({ paused: true })), /^It is paused/);
  assert.match(runnerText(migration({})), /was killed or has failed/);
  assert.equal(runnerText(migration({ state: 'rolled-back' })), '');
});

test('the end of a rollback is said with its number, whatever its size', () => {
  const margin = {
    column: 'public.orders.id',
    greatest: '100',
    last: '9007199254740993',
    left: '9007199254740893',
    near_end: false,
    unknown: null,
  };
  assert.equal(
    marginText(margin),
    'A rollback is possible until public.orders.id exceeds 9,007,199,254,740,993: 9,007,199,254,740,893 values are left.',
  );
  assert.match(marginText({ ...margin, left: '-3' }), /no longer possible/);
  assert.match(marginText({ ...margin, greatest: '-7' }), /falls below -9,007,199,254,740,994:/);
  assert.match(marginText({ ...margin, greatest: '-7', left: '-3' }), /the value -7, below -9,/);
  assert.match(marginText({ ...margin, left: null, unknown: 'lock timeout' }), /could not be read/);
  assert.doesNotMatch(marginText({ ...margin, left: null }), /left/);
});

test('a rollback is confirmed with the name of the table, with or without schema', () => {
  assert.equal(confirmingName(migration({})), 'public.orders');
  assert.ok(isConfirmedBy(migration({}), ' orders '));
  assert.ok(isConfirmedBy(migration({}), 'public.orders'));
  assert.ok(!isConfirmedBy(migration({}), 'order'));
  assert.equal(confirmingName(migration({ tables: [] })), 'public.orders', 'of the first step');
});

test('the command names what is not the default', () => {
  const plan = {
    fingerprint: '44c80a9600bb72d6',
    steps: [],
    refusals: [],
    notes: [],
    limits: [],
    estimate: { rows: 0, wal_bytes: 0, disk_bytes: 0, seconds: 0 },
  };
  assert.equal(
    applyCommand(plan, { catalog: 'mintmark.yaml', invalid: 'refuse' }),
    'mintmark migrate apply --plan 44c80a9600bb72d6',
  );
  assert.equal(
    applyCommand(plan, { catalog: "it's.yaml", invalid: 'quarantine' }),
    "mintmark migrate apply --plan 44c80a9600bb72d6 --catalog 'it'\\''s.yaml' --invalid quarantine",
  );
});
