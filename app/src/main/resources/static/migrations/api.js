/**
 * The HTTP API as the migrations' view uses it; types follow the schemas of `openapi.json`.
 */
import { request } from '../common/http.js';

/**
 * @typedef {'check' | 'expand' | 'sync' | 'backfill' | 'index' | 'validate' | 'switch' | 'bake' | 'contract'} Phase
 * @typedef {'refuse' | 'normalise' | 'quarantine'} Invalid
 * @typedef {{table: string, mode: string, held: string}} Lock
 * @typedef {{rows: number, wal_bytes: number, disk_bytes: number, seconds: number}} Cost
 */

/**
 * @typedef {object} PlannedStep
 * @property {Phase} phase
 * @property {string} work
 * @property {string} title
 * @property {string} target
 * @property {Lock[]} locks
 * @property {Cost} estimate
 * @property {string[]} apply
 * @property {string[]} undo
 */

/**
 * @typedef {object} Refusal
 * @property {string} code
 * @property {string} object
 * @property {string} reason
 * @property {string} remedy
 * @property {string | null} file
 * @property {number | null} line
 * @property {string | null} did_you_mean
 */

/**
 * @typedef {object} Plan
 * @property {string | null} fingerprint
 * @property {PlannedStep[]} steps
 * @property {Refusal[]} refusals
 * @property {string[]} notes
 * @property {{column: string, last: string}[]} limits
 * @property {Cost} estimate
 */

/**
 * @typedef {object} PlanState
 * @property {string | null} catalog
 * @property {Invalid | null} invalid
 * @property {string | null} running_since
 * @property {string | null} reading
 * @property {string | null} planned_at
 * @property {Plan | null} plan
 * @property {string | null} failure
 */

/**
 * @typedef {object} Summary
 * @property {number} migration
 * @property {string} fingerprint
 * @property {string} state
 * @property {boolean} paused
 * @property {string} started
 * @property {string | null} ended
 * @property {string[]} tables
 * @property {number} steps
 * @property {number} steps_done
 */

/**
 * @typedef {object} ServerRun
 * @property {string} command
 * @property {string} started
 * @property {string | null} ended
 * @property {string | null} outcome
 * @property {string | null} failure
 */

/**
 * @typedef {object} MigrationList
 * @property {Summary[]} migrations the last one first
 * @property {string | null} obstacle
 * @property {ServerRun | null} run
 */

/**
 * @typedef {object} Step
 * @property {number} ordinal
 * @property {Phase} phase
 * @property {string} work
 * @property {string} title
 * @property {string} target
 * @property {'pending' | 'doing' | 'done' | 'undone'} state
 * @property {number} rows_done
 * @property {number} rows_estimated
 * @property {number | null} rows_per_second
 * @property {string | null} started
 * @property {string | null} ended
 * @property {Lock[]} locks
 */

/**
 * @typedef {object} Margin
 * @property {string} column
 * @property {string | null} greatest
 * @property {string} last
 * @property {string | null} left
 * @property {boolean} near_end
 * @property {string | null} unknown
 */

/**
 * @typedef {object} Migration
 * @property {number} migration
 * @property {string} state
 * @property {string} fingerprint
 * @property {boolean} paused
 * @property {string} started
 * @property {string | null} ended
 * @property {{pid: number, since: string} | null} runner
 * @property {{step: number, reason: string, since: string} | null} waits
 * @property {string[]} tables
 * @property {Step[]} steps
 * @property {Margin[]} limits
 * @property {string[]} schemas_aside
 */

/** @typedef {'pause' | 'resume' | 'rollback' | 'contract'} Command */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<MigrationList>}
 */
export async function listMigrations(signal) {
  return (await request(['migrations'], { signal })).body;
}

/**
 * @param {number} migration
 * @param {AbortSignal} signal
 * @returns {Promise<Migration>}
 */
export async function readMigration(migration, signal) {
  return (await request(['migrations', String(migration)], { signal })).body;
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<PlanState>}
 */
export async function readPlan(signal) {
  return (await request(['migration-plan'], { signal })).body;
}

/**
 * @param {Invalid} invalid
 * @returns {Promise<PlanState>}
 */
export async function makePlan(invalid) {
  return (await request(['migration-plan'], { method: 'POST', body: { invalid } })).body;
}

/**
 * @param {number} migration
 * @param {Command} command
 * @param {string} [table] confirms a rollback or a contraction
 */
export async function command(migration, command, table) {
  await request(['migrations', String(migration), command], {
    method: 'POST',
    ...(table === undefined ? {} : { body: { table } }),
  });
}
