import { listPools, readMap } from './api.js';
import { isOutage } from './http.js';
import {
  mapLoaded,
  mapUnchanged,
  pollFailed,
  poolsLoaded,
  pollSucceeded,
  selectedPool,
} from './pool-state.js';
import { poll } from './poll.js';

/**
 * @import {ConnectionBanner} from './connection-banner.js'
 * @import {PoolsState} from './pool-state.js'
 * @import {Store} from './store.js'
 */

const MAP_EVERY_MILLIS = 500;
const POOLS_EVERY_MILLIS = 2_000;
/** How many values a window has. */
export const WINDOW_VALUES = 4_096;

/** Keeps the pools, and the map of the selected one, up to date. */
export class PoolPolling {
  #store;
  #connection;
  #polling;
  #poolsAt = -Infinity;

  /**
   * @param {Store<PoolsState>} store
   * @param {ConnectionBanner} connection
   */
  constructor(store, connection) {
    this.#store = store;
    this.#connection = connection;
    this.#polling = poll((signal) => this.#tick(signal), {
      everyMillis: MAP_EVERY_MILLIS,
      onAnswer: () => connection.answered(),
      onError: (error, waitMillis) => this.#onError(error, waitMillis),
    });
    connection.onRetry(() => this.reloadMap());
  }

  /** Loads the map now instead of at the next poll. */
  reloadMap() {
    this.#polling.now();
  }

  /** Loads the pools and the map now. */
  reload() {
    this.#poolsAt = -Infinity;
    this.#polling.now();
  }

  /** @param {AbortSignal} signal */
  async #tick(signal) {
    if (performance.now() - this.#poolsAt >= POOLS_EVERY_MILLIS) {
      const pools = await listPools(signal);
      this.#poolsAt = performance.now();
      this.#store.update(poolsLoaded, pools);
    }
    const pool = selectedPool(this.#store.state);
    if (pool) {
      await this.#loadMap(pool.name, signal);
    }
    this.#store.update(pollSucceeded);
  }

  /**
   * @param {string} pool
   * @param {AbortSignal} signal
   */
  async #loadMap(pool, signal) {
    const { from, etag } = this.#store.state.window;
    const answer = await readMap(pool, { from, limit: WINDOW_VALUES, etag, signal });
    // Another pool or window may have been opened since the answer came.
    signal.throwIfAborted();
    const now = performance.now();
    if (answer === null) {
      this.#store.update(mapUnchanged, now);
    } else {
      this.#store.update(mapLoaded, answer.map, answer.etag, now);
    }
  }

  /**
   * @param {Error} error
   * @param {number} waitMillis
   */
  #onError(error, waitMillis) {
    this.#poolsAt = -Infinity;
    if (isOutage(error)) {
      this.#connection.lost(error, waitMillis);
      this.#store.update(pollFailed, '');
    } else {
      this.#connection.answered();
      this.#store.update(pollFailed, error.message);
    }
  }
}
