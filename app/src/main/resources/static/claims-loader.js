import { listClaims } from './api.js';
import { claimsFailed, claimsLoaded, startOf } from './claims-state.js';
import { LatestSignal } from './http.js';
import { selectedPool } from './pool-state.js';

/**
 * @import {PoolsState} from './pool-state.js'
 * @import {Store} from './store.js'
 */

const CLAIMS_A_PAGE = 50;

/** Loads the page of claims that the state asks for, and again whenever the pools are loaded. */
export class ClaimsLoader {
  #store;
  #signal = new LatestSignal();

  /** @param {Store<PoolsState>} store */
  constructor(store) {
    this.#store = store;
    store.watch(
      ({ pools, selected, claims }) => [pools, selected, claims.client, claims.starts],
      () => this.load(),
    );
  }

  async load() {
    const signal = this.#signal.next();
    const { claims } = this.#store.state;
    const pool = selectedPool(this.#store.state);
    if (!pool) {
      return;
    }
    try {
      const page = { client: claims.client, after: startOf(claims), limit: CLAIMS_A_PAGE, signal };
      const answer = await listClaims(pool.name, page);
      if (!signal.aborted) {
        this.#store.update(claimsLoaded, answer);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#store.update(claimsFailed, /** @type {Error} */ (error).message);
      }
    }
  }
}
