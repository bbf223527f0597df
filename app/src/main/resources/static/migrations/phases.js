import { bytesText } from '../common/bytes.js';
import { counted } from '../common/numbers.js';

/** @import {Command, Cost, Lock, Margin, Migration, Phase, Plan, Step} from './api.js' */

/** @type {[Phase, string][]} the phases in their order, and what each does */
export const PHASES = [
  ['check', 'Requirements are met before anything is changed.'],
  ['expand', 'New columns are added, without values.'],
  ['sync', 'A trigger fills the new columns of rows that are written from now on.'],
  ['backfill', 'The new columns of existing rows are filled, batch by batch.'],
  ['index', 'The indexes that the switch needs are created while the table is written.'],
  ['validate', 'Constraints are validated while the table is written.'],
  ['switch', 'The new columns take the names of the old ones.'],
  ['bake', 'Old and new columns are both kept, so that a rollback is possible.'],
  ['contract', 'What is left of the old columns is dropped.'],
];

/** @type {Record<string, string>} what other sessions wait for, by lock mode */
const BLOCKS = {
  'row exclusive': 'blocks writes of the same rows',
  'share update exclusive': 'blocks other changes of the definition',
  'share row exclusive': 'blocks writes',
  'access exclusive': 'blocks reads and writes',
};

/**
 * Steps by phase, in the order of phases; phases without a step are left out.
 *
 * @template {{phase: Phase}} Any
 * @param {Any[]} steps
 * @returns {{phase: Phase, about: string, steps: Any[]}[]}
 */
export function byPhase(steps) {
  return PHASES.map(([phase, about]) => ({
    phase,
    about,
    steps: steps.filter((step) => step.phase === phase),
  })).filter((group) => group.steps.length > 0);
}

/**
 * A lock and what it blocks: `public.orders: ACCESS EXCLUSIVE, briefly; blocks reads and writes`.
 *
 * @param {Lock} lock
 */
export function lockText({ table, mode, held }) {
  const blocks = BLOCKS[mode] ? `; ${BLOCKS[mode]}` : '';
  return `${table}: ${mode.toUpperCase()}, ${held}${blocks}`;
}

/**
 * What a step or a plan is expected to cost; empty if it costs nothing worth a word.
 *
 * @param {Cost} cost
 */
export function costText({ rows, wal_bytes: wal, disk_bytes: disk, seconds }) {
  return [
    rows > 0 ? `${counted(rows)} row${rows === 1 ? '' : 's'}` : '',
    seconds > 0 ? `about ${durationText(seconds)}` : '',
    wal > 0 ? `${bytesText(wal)} of write-ahead log` : '',
    disk > 0 ? `${bytesText(disk)} on disk` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * Seconds for people, with two units at most: 45 s, 3 min 20 s, 2 h 5 min.
 *
 * @param {number} seconds
 */
export function durationText(seconds) {
  const whole = Math.ceil(seconds);
  const units = /** @type {[string, number][]} */ ([
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ]);
  const first = units.findIndex(([, length]) => whole >= length);
  if (first < 0) {
    return '0 s';
  }
  let rest = whole;
  return units
    .slice(first, first + 2)
    .map(([name, length]) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      return count > 0 ? `${count} ${name}` : '';
    })
    .filter(Boolean)
    .join(' ');
}

/**
 * How far a step is, for people: `1,200 of about 5,000 rows, 24 %, 300 rows/s, about 13 s left`.
 *
 * @param {Step} step
 */
export function progressText({ rows_done: done, rows_estimated: all, rows_per_second: rate }) {
  if (done === 0) {
    return '';
  }
  const rows =
    all >= done
      ? `${counted(done)} of about ${counted(all)} rows, ${Math.floor((done * 100) / all)} %`
      : `${counted(done)} rows`;
  if (rate === null || rate === 0) {
    return rows;
  }
  const left = all > done ? `, about ${durationText((all - done) / rate)} left` : '';
  return `${rows}, ${counted(rate)} rows/s${left}`;
}

/**
 * The step at which a migration is: the one in progress, or the next in its direction; null if
 * there is none.
 *
 * @param {Migration} migration
 * @returns {Step | null}
 */
export function presentStep({ state, steps }) {
  const doing = steps.find((step) => step.state === 'doing');
  if (doing) {
    return doing;
  }
  if (state === 'rolling-back') {
    return steps.findLast((step) => step.state === 'done') ?? null;
  }
  const next = steps.find((step) => step.state !== 'done') ?? null;
  const isDue = state === 'contracting' || (state === 'applying' && next?.phase !== 'contract');
  return isDue ? next : null;
}

/** @typedef {'done' | 'present' | 'pending' | 'undone'} PhaseState */

/**
 * How each phase of a migration stands.
 *
 * @param {Migration} migration
 * @returns {{phase: Phase, state: PhaseState}[]}
 */
export function phaseStates(migration) {
  const present = migration.state === 'baking' ? 'bake' : presentStep(migration)?.phase;
  const shown = new Set([...migration.steps.map(({ phase }) => phase), 'bake']);
  return PHASES.filter(([phase]) => shown.has(phase)).map(([phase]) => ({
    phase,
    state: phase === present ? 'present' : stateOf(phase, migration),
  }));
}

/**
 * @param {Phase} phase
 * @param {Migration} migration
 * @returns {PhaseState}
 */
function stateOf(phase, { state, steps }) {
  const mine = steps.filter((step) => step.phase === phase);
  if (mine.length === 0) {
    return state === 'contracting' || state === 'contracted' ? 'done' : 'pending';
  }
  if (mine.every((step) => step.state === 'done')) {
    return 'done';
  }
  return mine.every((step) => step.state === 'undone') ? 'undone' : 'pending';
}

/**
 * What can be done with a migration in its state.
 *
 * @param {Migration} migration
 * @returns {Command[]}
 */
export function commandsOf({ state, runner, paused }) {
  if (runner) {
    return paused ? [] : ['pause'];
  }
  switch (state) {
    case 'applying':
      return ['resume', 'rollback'];
    case 'baking':
      return ['contract', 'rollback'];
    case 'contracting':
    case 'rolling-back':
      return ['resume'];
    default:
      return [];
  }
}

/**
 * Who works on a migration, in one sentence.
 *
 * @param {Migration} migration
 */
export function runnerText({ state, runner, paused }) {
  if (runner) {
    return paused
      ? `Process ${runner.pid} ends after its transaction in progress or the index that it creates.`
      : `Process ${runner.pid} of the database server works on it.`;
  }
  if (isOver(state)) {
    return '';
  }
  if (state === 'baking') {
    return 'Old and new columns are both kept: deploy all code, then contract.';
  }
  return paused
    ? 'It is paused: no process works on it.'
    : 'No process works on it: its run was killed or has failed.';
}

/** @param {string} state */
export function isOver(state) {
  return state === 'contracted' || state === 'rolled-back';
}

/**
 * How long a rollback stays possible.
 *
 * @param {Margin} margin
 */
export function marginText({ column, greatest, last, left, unknown }) {
  if (unknown !== null) {
    return `The values that are left could not be read for ${column}: ${unknown}`;
  }
  const downwards = greatest !== null && greatest.startsWith('-');
  const end = valueText(downwards ? String(-BigInt(last) - 1n) : last);
  if (left !== null && left.startsWith('-')) {
    return `A rollback is no longer possible: ${column} has the value ${valueText(greatest ?? '')}, ${downwards ? 'below' : 'above'} ${end}.`;
  }
  const until = `A rollback is possible until ${column} ${downwards ? 'falls below' : 'exceeds'} ${end}`;
  return left === null ? `${until}.` : `${until}: ${valueText(left)} values are left.`;
}

/**
 * The value of a column with its digits in groups; it may be larger than JavaScript's numbers.
 *
 * @param {string} value
 */
export function valueText(value) {
  return value.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * The name that confirms a rollback and a contraction.
 *
 * @param {Migration} migration
 */
export function confirmingName({ tables, steps }) {
  return tables[0] ?? steps[0]?.target ?? '';
}

/**
 * Whether a text is that name, with or without its schema.
 *
 * @param {Migration} migration
 * @param {string} text
 */
export function isConfirmedBy(migration, text) {
  const name = confirmingName(migration);
  return [name, name.slice(name.indexOf('.') + 1)].includes(text.trim());
}

/**
 * The command that applies a plan.
 *
 * @param {Plan} plan
 * @param {{catalog: string | null, invalid: string | null}} how
 */
export function applyCommand({ fingerprint }, { catalog, invalid }) {
  const options = [
    `--plan ${fingerprint}`,
    catalog && catalog !== 'mintmark.yaml' ? `--catalog ${shellWord(catalog)}` : '',
    invalid && invalid !== 'refuse' ? `--invalid ${invalid}` : '',
  ];
  return ['mintmark migrate apply', ...options.filter(Boolean)].join(' ');
}

/** @param {string} text */
function shellWord(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
