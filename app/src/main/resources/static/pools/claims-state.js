/**
 * The part of the state that the claims show: a page of the table, and the result of the form.
 *
 * @import {Claim, ClaimPage} from './api.js'
 * @import {Search} from './claim-finder.js'
 * @import {PoolsState} from './pool-state.js'
 */

import { FIRST_PAGE, turned } from '../common/pages.js';
import { ALL_CLAIMS } from './claim-finder.js';

/**
 * @typedef {object} ClaimsState a page of the selected pool's claims
 * @property {Search} search which claims they are
 * @property {string[]} starts the `after` of each page up to this one
 * @property {Claim[] | null} shown null until the server has answered
 * @property {string | null} next the `after` of the next page; null on the last one
 * @property {string | null} confirming the token of the claim whose release waits for a confirmation
 * @property {string} message
 * @property {boolean} isPageError whether the message says why the page could not be loaded
 */

/**
 * @typedef {{outcome: 'granted', claims: Claim[], isNew: boolean}} Granted
 * @typedef {{outcome: 'refused', message: string}} Refused
 */

/** @type {ClaimsState} */
export const NO_CLAIMS = {
  ...FIRST_PAGE,
  search: ALL_CLAIMS,
  shown: null,
  confirming: null,
  message: '',
  isPageError: false,
};

/**
 * The `after` of the page that is shown.
 *
 * @param {ClaimsState} claims
 */
export function startOf({ starts }) {
  return starts[starts.length - 1];
}

/**
 * Lists the claims that a search finds, from the first page on.
 *
 * @param {PoolsState} state
 * @param {Search} search
 */
export function claimsSearched(state, search) {
  return changeClaims(state, { ...FIRST_PAGE, search, message: '' });
}

/**
 * @param {PoolsState} state
 * @param {number} by -1 or 1
 */
export function claimsTurned(state, by) {
  return changeClaims(state, { ...turned(state.claims, by), message: '' });
}

/**
 * A page that has become empty is left for the one before.
 *
 * @param {PoolsState} state
 * @param {ClaimPage} page
 */
export function claimsLoaded(state, { claims, next }) {
  const { starts, message, isPageError } = state.claims;
  if (claims.length === 0 && starts.length > 1) {
    return changeClaims(state, { starts: starts.slice(0, -1) });
  }
  return changeClaims(state, {
    shown: claims,
    next,
    message: isPageError ? '' : message,
    isPageError: false,
  });
}

/**
 * @param {PoolsState} state
 * @param {string} message
 */
export function claimsFailed(state, message) {
  return changeClaims(state, { message, isPageError: true });
}

/**
 * @param {PoolsState} state
 * @param {string | null} confirming null takes the question back
 */
export function listedReleaseAsked(state, confirming) {
  return changeClaims(state, { confirming });
}

/**
 * A claim of the table was renewed or released, or could not be.
 *
 * @param {PoolsState} state
 * @param {string} message
 */
export function listedClaimAnswered(state, message) {
  return changeClaims(state, { message, confirming: null, isPageError: false });
}

/**
 * @param {PoolsState} state
 * @param {{claims: Claim[], isNew: boolean}} answer
 * @returns {PoolsState}
 */
export function claimGranted(state, { claims, isNew }) {
  return { ...state, claimResult: { outcome: 'granted', claims, isNew } };
}

/**
 * @param {PoolsState} state
 * @param {string} message
 * @returns {PoolsState}
 */
export function claimRefused(state, message) {
  return { ...state, claimResult: { outcome: 'refused', message } };
}

/**
 * @param {PoolsState} state
 * @param {Partial<ClaimsState>} change
 * @returns {PoolsState}
 */
function changeClaims(state, change) {
  return { ...state, claims: { ...state.claims, ...change } };
}
