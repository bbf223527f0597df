/**
 * The state of the pools, and how answers of the server and the address change it. Like those in
 * cursor-state.js and claims-state.js, the functions are pure, and `Store.update` applies them.
 */
import { NO_CLAIMS } from './claims-state.js';
import {
  NO_CURSOR,
  NO_WINDOW,
  cellUnpinned,
  haveSameValues,
  withMap,
  withSought,
} from './cursor-state.js';
import { changedIndexes, stateAt, tally } from './value-states.js';

/**
 * @import {Counts, Density, Pool, PoolAnswer, ValueMap} from './api.js'
 * @import {ClaimsState, Granted, Refused} from './claims-state.js'
 * @import {Cursor, Details, MapWindow} from './cursor-state.js'
 * @import {Range, Tab} from './pool-address.js'
 */

/** How many values a window has. */
export const WINDOW_VALUES = 4_096;
/** The rate of claims is that of the last maps, as far back as this. */
const RATE_OVER_MILLIS = 5_000;

/** @typedef {import('./pool-address.js').Address} Address */

/** @typedef {{at: number, granted: number}} Sample how many claims a map showed, and when */

/**
 * @typedef {object} PoolsState
 * @property {'overview' | 'pool'} page
 * @property {Pool[] | null} pools null until the server has answered
 * @property {string[]} unreachable the databases that do not answer; their pools are not in `pools`
 * @property {Tab} tab of the pool's page
 * @property {string | null} selected the name of the pool that is shown; there may be no such pool
 * @property {string} value the selected value, as the address has it; empty if there is none
 * @property {Range | null} range of a large pool whose density is shown; null for the whole pool
 * @property {Density | null} density null until the server has answered
 * @property {string} problem why the server rejected the last poll; empty if it did not
 * @property {MapWindow} window
 * @property {Cursor} cursor
 * @property {Details | null} details
 * @property {Sample[]} samples
 * @property {string} jumpMessage why a value could not be shown
 * @property {Granted | Refused | null} claimResult of the form
 * @property {ClaimsState} claims
 */

/** What changes with the pool that is shown. */
const OF_A_POOL = {
  window: NO_WINDOW,
  density: null,
  cursor: NO_CURSOR,
  details: null,
  samples: [],
  jumpMessage: '',
  claimResult: null,
  claims: NO_CLAIMS,
};

/**
 * @param {Address} address
 * @returns {PoolsState}
 */
export function initialState(address) {
  const { pool } = address;
  const selected = pool || null;
  return {
    ...address,
    page: pageOf(address),
    pools: null,
    unreachable: [],
    selected,
    problem: '',
    ...OF_A_POOL,
  };
}

/**
 * A pool has a page of its own at `#pool=NAME`, without the list.
 *
 * @param {Address} address
 * @returns {PoolsState['page']}
 */
function pageOf({ pool }) {
  return pool ? 'pool' : 'overview';
}

/** @param {PoolsState} state */
export function selectedPool({ pools, selected }) {
  return pools?.find(({ name }) => name === selected) ?? null;
}

/**
 * What is shown in place of a pool, or above the list.
 *
 * @param {PoolsState} state
 */
export function noticeOf(state) {
  if (state.problem) {
    return state.problem;
  }
  const { page, pools, unreachable, selected } = state;
  if (pools === null || selectedPool(state)) {
    return '';
  }
  if (unreachable.length) {
    return unreachable
      .map((name) => `The database “${name}” does not answer: its pools are not shown.`)
      .join(' ');
  }
  if (page === 'pool') {
    return `There is no pool “${selected}”.`;
  }
  return pools.length
    ? ''
    : 'There is no pool yet. Create one here, or under “pools:” in mintmark.yaml.';
}

/**
 * How many values are in each state. A map that has all values is newer than the pool.
 *
 * @param {Pool} pool
 * @param {ValueMap | null} map
 * @returns {Counts}
 */
export function countsOf(pool, map) {
  return map && map.count === map.total ? tally(map.states) : pool;
}

/**
 * @param {Sample[]} samples
 * @returns {number | null} null until there are samples of a second
 */
export function claimsPerSecond(samples) {
  if (samples.length === 0) {
    return null;
  }
  const seconds = (samples[samples.length - 1].at - samples[0].at) / 1000;
  const granted = samples.slice(1).reduce((sum, sample) => sum + sample.granted, 0);
  return seconds >= 1 ? granted / seconds : null;
}

/**
 * @param {PoolsState} state
 * @param {Address} address
 * @returns {PoolsState}
 */
export function addressChanged(state, address) {
  const { tab, value, range } = address;
  const selected = address.pool || null;
  const next = { ...state, page: pageOf(address), tab, value, range };
  if (selected !== state.selected) {
    return { ...next, selected, ...OF_A_POOL };
  }
  const shown =
    JSON.stringify(range) === JSON.stringify(state.range) ? next : { ...next, density: null };
  if (tab !== 'map' || value) {
    return shown;
  }
  return cellUnpinned(isLarge(selectedPool(state)) ? { ...shown, window: NO_WINDOW } : shown);
}

/**
 * A pool with more values than a window shows its density first.
 *
 * @param {Pool | null} pool
 */
export function isLarge(pool) {
  return pool !== null && pool.capacity > WINDOW_VALUES;
}

/** @param {PoolsState} state */
export function showsDensity(state) {
  return isLarge(selectedPool(state)) && !state.window.isOpen && !state.value;
}

/**
 * @param {PoolsState} state
 * @param {Density} density
 * @returns {PoolsState}
 */
export function densityLoaded(state, density) {
  return { ...state, density };
}

/**
 * The value of the address is not in the pool: what is shown stays.
 *
 * @param {PoolsState} state
 * @param {string} jumpMessage
 * @returns {PoolsState}
 */
export function valueMissed(state, jumpMessage) {
  const value = state.window.cells[state.cursor.pinned ?? -1]?.value ?? '';
  return { ...state, value, jumpMessage };
}

/**
 * @param {PoolsState} state
 * @param {PoolAnswer} answer
 */
export function poolsLoaded(state, { pools, unreachable }) {
  return { ...state, pools, unreachable };
}

/**
 * The server reported what a pool is now.
 *
 * @param {PoolsState} state
 * @param {Pool} pool
 * @returns {PoolsState}
 */
export function poolWatched(state, pool) {
  const isListed = state.pools?.some(({ name }) => name === pool.name);
  if (!state.pools || !isListed) {
    return state;
  }
  return { ...state, pools: state.pools.map((one) => (one.name === pool.name ? pool : one)) };
}

/**
 * The server reported no change of the selected pool, so no value was granted.
 *
 * @param {PoolsState} state
 * @param {number} at when, in milliseconds
 */
export function timePassed(state, at) {
  return state.samples.length ? withSample(state, { at, granted: 0 }) : state;
}

/**
 * @param {PoolsState} state
 * @param {ValueMap} map
 * @param {string} etag
 * @param {number} at when, in milliseconds
 */
export function mapLoaded(state, map, etag, at) {
  const before = state.window.map;
  const granted = before !== null && haveSameValues(before, map) ? grantedIn(before, map) : 0;
  return withSample(withMap(state, map, etag), { at, granted });
}

/**
 * @param {PoolsState} state
 * @param {number} at when, in milliseconds
 */
export function mapUnchanged(state, at) {
  return withSample(withSought(state), { at, granted: 0 });
}

/**
 * @param {ValueMap} before
 * @param {ValueMap} now of the same values
 */
function grantedIn(before, now) {
  return changedIndexes(before.states, now.states).filter(
    (index) => stateAt(now.states, index) === 'held',
  ).length;
}

/**
 * @param {PoolsState} state
 * @param {Sample} sample
 * @returns {PoolsState}
 */
function withSample(state, sample) {
  const recent = state.samples.filter(({ at }) => sample.at - at <= RATE_OVER_MILLIS);
  return { ...state, samples: [...recent, sample] };
}

/** @param {PoolsState} state */
export function pollSucceeded(state) {
  return state.problem ? { ...state, problem: '' } : state;
}

/**
 * Earlier samples no longer count, and the next map is loaded without an ETag.
 *
 * @param {PoolsState} state
 * @param {string} problem empty if the server did not answer
 * @returns {PoolsState}
 */
export function pollFailed(state, problem) {
  const window = { ...state.window, etag: '' };
  return { ...state, window, samples: [], problem: problem || state.problem };
}

/**
 * @param {PoolsState} state
 * @param {string} jumpMessage empty while the value is looked up
 * @returns {PoolsState}
 */
export function jumpAnswered(state, jumpMessage) {
  return { ...state, jumpMessage };
}
