/**
 * The part of the state that the map and the details show: a window of values, the cell in it that
 * is pinned or pointed at, and what is known of that cell.
 */
import { stateAt } from './value-states.js';
import { cellsOf } from './values.js';

/**
 * @import {Claim, HistoryEntry, ValueMap} from './api.js'
 * @import {PoolsState} from './pool-state.js'
 * @import {ValueState} from './value-states.js'
 * @import {Cell} from './values.js'
 */

/**
 * @typedef {object} MapWindow the values that the map shows
 * @property {number} from
 * @property {boolean} isOpen whether it was opened; a large pool shows its density until then
 * @property {string} etag of `map`; empty to have it sent again
 * @property {ValueMap | null} map null until the server has answered
 * @property {Cell[]} cells the values of `map`: the same array as long as they are the same values
 * @property {string | null} sought a value to reveal as soon as the map has it
 */

/**
 * @typedef {object} Cursor cells by their index in the window
 * @property {number | null} pinned the one whose details stay
 * @property {number | null} pointed the one under the mouse, shown instead of the pinned one
 * @property {{index: number} | null} revealed the one to scroll to; another object each time
 */

/**
 * @typedef {object} Details what is known of the cell that the cursor shows
 * @property {string} value
 * @property {ValueState} state
 * @property {Claim | null} claim null until the server has answered, and if the value is not held
 * @property {HistoryEntry[]} history the claims that have ended
 * @property {string} message
 * @property {boolean} isConfirming whether the release of the claim waits for a confirmation
 */

/** @type {MapWindow} */
export const NO_WINDOW = { from: 0, isOpen: false, etag: '', map: null, cells: [], sought: null };
/** @type {Cursor} */
export const NO_CURSOR = { pinned: null, pointed: null, revealed: null };

/**
 * @param {PoolsState} state
 * @param {string} value
 * @returns {number | null} null if the window does not have the value
 */
export function indexOfValue({ window }, value) {
  const index = window.cells.findIndex((cell) => cell.value === value);
  return index < 0 ? null : index;
}

/**
 * Opens another window of the selected pool.
 *
 * @param {PoolsState} state
 * @param {number} from
 * @param {string | null} [sought]
 * @returns {PoolsState}
 */
export function windowOpened(state, from, sought = null) {
  const window = { ...NO_WINDOW, from: Math.max(0, from), isOpen: true, sought };
  const value = sought ?? '';
  return { ...state, value, window, cursor: NO_CURSOR, details: null, samples: [] };
}

/**
 * The window with the states that the server has answered. The cursor stays at its value.
 *
 * @param {PoolsState} state
 * @param {ValueMap} map
 * @param {string} etag
 */
export function withMap(state, map, etag) {
  const { window } = state;
  if (window.map !== null && haveSameValues(window.map, map)) {
    return withSought({ ...state, window: { ...window, map, etag } });
  }
  const pinned = window.cells[state.cursor.pinned ?? -1]?.value;
  const next = { ...state, window: { ...window, map, etag, cells: cellsOf(map.blocks) } };
  const index = pinned === undefined ? null : indexOfValue(next, pinned);
  return withSought({ ...next, cursor: { ...NO_CURSOR, pinned: index } });
}

/**
 * @param {ValueMap} one
 * @param {ValueMap} other
 */
export function haveSameValues(one, other) {
  return (
    one.from === other.from &&
    one.count === other.count &&
    JSON.stringify(one.blocks) === JSON.stringify(other.blocks)
  );
}

/**
 * Reveals a value as soon as the next map is here.
 *
 * @param {PoolsState} state
 * @param {string} sought
 * @returns {PoolsState}
 */
export function valueSought(state, sought) {
  return { ...state, window: { ...state.window, sought } };
}

/**
 * Reveals the value that is sought. The answer may be that the map is unchanged: an earlier one has
 * shown the claim already, before its own answer was here.
 *
 * @param {PoolsState} state
 */
export function withSought(state) {
  const { sought } = state.window;
  const index = sought === null ? null : indexOfValue(state, sought);
  return index === null
    ? withDetails(state)
    : cellRevealed({ ...state, window: { ...state.window, sought: null } }, index);
}

/**
 * @param {PoolsState} state
 * @param {number} index
 * @returns {PoolsState}
 */
export function cellPinned(state, index) {
  if (index >= state.window.cells.length) {
    return state;
  }
  const { value } = state.window.cells[index];
  return withDetails({
    ...state,
    value,
    cursor: { ...state.cursor, pinned: index, pointed: null },
  });
}

/**
 * Pins a cell and scrolls to it.
 *
 * @param {PoolsState} state
 * @param {number} index
 * @returns {PoolsState}
 */
export function cellRevealed(state, index) {
  const next = cellPinned(state, index);
  return { ...next, cursor: { ...next.cursor, revealed: { index } } };
}

/**
 * Moves on to a neighbour of the cell that is shown.
 *
 * @param {PoolsState} state
 * @param {number} by -1 or 1
 */
export function cellStepped(state, by) {
  const shown = shownIndex(state.cursor);
  const last = state.window.cells.length - 1;
  return shown === null ? state : cellRevealed(state, Math.max(0, Math.min(last, shown + by)));
}

/** @param {PoolsState} state */
export function cellUnpinned(state) {
  return withDetails({ ...state, value: '', cursor: NO_CURSOR });
}

/**
 * The cell under the mouse is shown for as long as the mouse is there, unless the question whether
 * to release another one is open.
 *
 * @param {PoolsState} state
 * @param {number | null} pointed
 */
export function cellPointed(state, pointed) {
  return state.details?.isConfirming || pointed === state.cursor.pointed
    ? state
    : withDetails({ ...state, cursor: { ...state.cursor, pointed } });
}

/** @param {Cursor} cursor */
function shownIndex({ pinned, pointed }) {
  return pointed ?? pinned;
}

/**
 * The details follow the cursor, and the state of the cell that it shows.
 *
 * @param {PoolsState} state
 * @returns {PoolsState}
 */
function withDetails(state) {
  const { window, details: before } = state;
  const index = shownIndex(state.cursor);
  const cell = index === null ? undefined : window.cells[index];
  if (index === null || !cell || !window.map) {
    return before === null ? state : { ...state, details: null };
  }
  const now = stateAt(window.map.states, index);
  if (before?.value !== cell.value) {
    return { ...state, details: unknownDetails(cell.value, now) };
  }
  return before.state === now
    ? state
    : changeDetails(state, { state: now, claim: null, isConfirming: false });
}

/**
 * @param {string} value
 * @param {ValueState} state
 * @returns {Details}
 */
function unknownDetails(value, state) {
  return { value, state, claim: null, history: [], message: '', isConfirming: false };
}

/**
 * @param {PoolsState} state
 * @param {Claim} claim
 */
export function holderLoaded(state, claim) {
  const isSame = state.details?.claim?.token === claim.token;
  const isConfirming = isSame && Boolean(state.details?.isConfirming);
  return changeDetails(state, { claim, isConfirming });
}

/**
 * @param {PoolsState} state
 * @param {HistoryEntry[]} claims
 */
export function historyLoaded(state, claims) {
  return changeDetails(state, { history: claims.filter((claim) => claim.ended_at !== null) });
}

/**
 * @param {PoolsState} state
 * @param {string} message
 */
export function detailsFailed(state, message) {
  return changeDetails(state, { message });
}

/**
 * @param {PoolsState} state
 * @param {boolean} isConfirming
 */
export function releaseAsked(state, isConfirming) {
  return changeDetails(state, { isConfirming });
}

/**
 * The server has answered the release. Whatever the answer, the claim that was shown is outdated.
 *
 * @param {PoolsState} state
 * @param {string} message
 */
export function releaseAnswered(state, message) {
  return changeDetails(state, { claim: null, isConfirming: false, message });
}

/**
 * @param {PoolsState} state
 * @param {Partial<Details>} change
 * @returns {PoolsState}
 */
function changeDetails(state, change) {
  return state.details ? { ...state, details: { ...state.details, ...change } } : state;
}
