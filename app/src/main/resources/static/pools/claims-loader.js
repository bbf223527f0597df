import { listClaims } from './api.js';
import { claimsFailed, claimsLoaded, startOf } from './claims-state.js';
import { LatestSignal } from '../common/http.js';
import { selectedPool } from './pool-state.js';

/**
 * @import {PoolsState} from './pool-state.js'
 * @import {Store} from '../common/store.js'
 */

const CLAIMS_A_PAGE = 50;

/** Loads the page of claims that the state asks for, and again whenever the pools are loaded; only while claims are shown. */
export class ClaimsLoader {
  #store;
  #signal = new LatestSignal();

  /** @param {Store<PoolsState>} store */
  constructor(store) {
    this.#store = store;
    store.watch(
      ({ tab, pools, selected, claims }) => [tab, pools, selected, claims.search, claims.starts],
      () => this.load(),
    );
  }

  async load() {
    const signal = this.#signal.next();
    const { tab, claims } = this.#store.state;
    const pool = selectedPool(this.#store.state);
    if (!pool || tab !== 'claims') {
      return;
    }
    try {
      const page = { search: claims.search, after: startOf(claims), limit: CLAIMS_A_PAGE, signal };
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
