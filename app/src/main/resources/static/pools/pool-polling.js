import { listPools, readDensity, readMap } from './api.js';
import { isOutage } from '../common/http.js';
import {
  WINDOW_VALUES,
  densityLoaded,
  isLarge,
  mapLoaded,
  mapUnchanged,
  pollFailed,
  poolWatched,
  poolsLoaded,
  pollSucceeded,
  selectedPool,
  showsDensity,
  timePassed,
} from './pool-state.js';
import { poll } from '../common/poll.js';

/**
 * @import {ConnectionBanner} from '../connection-banner.js'
 * @import {Pool} from './api.js'
 * @import {PoolsState} from './pool-state.js'
 * @import {Store} from '../common/store.js'
 */

const MAP_EVERY_MILLIS = 500;
const POOLS_EVERY_MILLIS = 2_000;
/** While the server reports each change of the selected pool. */
const WATCHED_EVERY_MILLIS = 30_000;
const RATE_EVERY_MILLIS = 1_000;

/**
 * Keeps the pools up to date, and the map of the selected one while it is shown. While that pool is
 * watched, its changes arrive by themselves, and the rest is loaded less often.
 */
export class PoolPolling {
  #store;
  #connection;
  #polling;
  #poolsAt = -Infinity;
  #densityAt = -Infinity;
  /** @type {{pool: Pool, at: number, rateTimer: number} | null} */
  #watched = null;

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

  /**
   * The server reports what the selected pool is now.
   *
   * @param {Pool} pool
   */
  changed(pool) {
    const rateTimer =
      this.#watched?.rateTimer ??
      setInterval(() => this.#store.update(timePassed, performance.now()), RATE_EVERY_MILLIS);
    this.#watched = { pool, at: performance.now(), rateTimer };
    this.#densityAt = -Infinity;
    this.#store.update(poolWatched, pool);
    this.#polling.pace(WATCHED_EVERY_MILLIS);
    this.#polling.soon();
  }

  /** Changes are no longer reported. */
  unwatched() {
    clearInterval(this.#watched?.rateTimer);
    this.#watched = null;
    this.#polling.pace(MAP_EVERY_MILLIS);
    this.#polling.soon();
  }

  /** Stops until {@link resume}. */
  pause() {
    this.#polling.pause();
  }

  resume() {
    this.#polling.resume();
  }

  /** @param {AbortSignal} signal */
  async #tick(signal) {
    const begun = performance.now();
    if (begun - this.#poolsAt >= (this.#watched ? WATCHED_EVERY_MILLIS : POOLS_EVERY_MILLIS)) {
      const answer = await listPools(signal);
      this.#poolsAt = performance.now();
      this.#store.update(poolsLoaded, answer);
      if (this.#watched && this.#watched.at >= begun) {
        // It is newer than the answer.
        this.#store.update(poolWatched, this.#watched.pool);
      }
    }
    const pool = selectedPool(this.#store.state);
    if (pool && this.#store.state.tab === 'map') {
      await this.#loadTab(pool, signal);
    }
    this.#store.update(pollSucceeded);
  }

  /**
   * @param {Pool} pool
   * @param {AbortSignal} signal
   */
  async #loadTab(pool, signal) {
    const { state } = this.#store;
    if (!showsDensity(state)) {
      // The window of the value in the address is looked up.
      if (state.window.isOpen || !isLarge(pool)) {
        await this.#loadMap(pool.name, signal);
      }
    } else if (
      state.density === null ||
      performance.now() - this.#densityAt >= POOLS_EVERY_MILLIS
    ) {
      const density = await readDensity(pool.name, state.range, signal);
      signal.throwIfAborted();
      this.#densityAt = performance.now();
      this.#store.update(densityLoaded, density);
    }
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
