import { readClaim, readHistory } from './api.js';
import { detailsFailed, historyLoaded, holderLoaded } from './cursor-state.js';
import { LatestSignal, Problem } from '../common/http.js';
import { selectedPool } from './pool-state.js';

/**
 * @import {Pool} from './api.js'
 * @import {Details} from './cursor-state.js'
 * @import {PoolsState} from './pool-state.js'
 * @import {Store} from '../common/store.js'
 */

const HISTORY_MAX = 5;
/** How long the mouse must stay at a cell before the server is asked about it. */
const POINTING_PAUSE_MILLIS = 120;
/** How old details become. A renewal moves the end of a lease without a change in the map. */
const AGE_MILLIS_MAX = 5_000;

/** Loads who holds and held the value of the cell that the cursor shows. */
export class DetailsLoader {
  #store;
  #signal = new LatestSignal();
  #timer = 0;
  #loadedAt = 0;

  /** @param {Store<PoolsState>} store */
  constructor(store) {
    this.#store = store;
    store.watch(
      ({ selected, details }) => [selected, details?.value, details?.state],
      () => this.load(),
    );
    store.watch(
      ({ samples }) => [samples],
      () => this.#reloadIfOld(),
    );
  }

  load() {
    clearTimeout(this.#timer);
    const signal = this.#signal.next();
    const { details, cursor } = this.#store.state;
    const pool = selectedPool(this.#store.state);
    if (!pool || !details || details.state === 'excluded') {
      return;
    }
    this.#loadedAt = performance.now();
    const pauseMillis = cursor.pointed === null ? 0 : POINTING_PAUSE_MILLIS;
    this.#timer = setTimeout(() => {
      this.#loadHolder(pool, details, signal);
      this.#loadHistory(pool, details, signal);
    }, pauseMillis);
  }

  /** Every map that is loaded, changed or not, is a sample. */
  #reloadIfOld() {
    const isOld = performance.now() - this.#loadedAt >= AGE_MILLIS_MAX;
    if (isOld && this.#store.state.cursor.pointed === null) {
      this.load();
    }
  }

  /**
   * @param {Pool} pool
   * @param {Details} details
   * @param {AbortSignal} signal
   */
  async #loadHolder(pool, { value, state }, signal) {
    if (state !== 'held') {
      return;
    }
    try {
      const claim = await readClaim(pool.name, value, signal);
      if (!signal.aborted) {
        this.#store.update(holderLoaded, claim);
      }
    } catch (error) {
      // The value was released meanwhile, and the next map shows that.
      if (!(error instanceof Problem && error.code === 'claim-not-found')) {
        this.#onError(error, signal);
      }
    }
  }

  /**
   * @param {Pool} pool
   * @param {Details} details
   * @param {AbortSignal} signal
   */
  async #loadHistory(pool, { value }, signal) {
    if (pool.history === null) {
      return;
    }
    try {
      const claims = await readHistory(pool.name, { value, limit: HISTORY_MAX, signal });
      if (!signal.aborted) {
        this.#store.update(historyLoaded, claims);
      }
    } catch (error) {
      this.#onError(error, signal);
    }
  }

  /**
   * Reports what the server rejected. The banner reports a server that cannot be reached.
   *
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  #onError(error, signal) {
    if (!signal.aborted && error instanceof Problem) {
      this.#store.update(detailsFailed, error.message);
    }
  }
}
