/**
 * The events of a pool, as the server sends them: docs/http.md.
 *
 * @import {Pool} from './api.js'
 */

/** How long to wait after the server refused the events, for example because too many watch. */
const REFUSED_MILLIS = 10_000;

/** Receives the events of the pool that is shown, while the page is visible. */
export class PoolWatch {
  #onPool;
  #onLost;
  #pool = '';
  #isLive = false;
  #timer = 0;
  /** @type {EventSource | null} */
  #source = null;

  /**
   * @param {object} listeners
   * @param {(pool: Pool) => void} listeners.onPool receives the pool at once, and after each change
   * @param {() => void} listeners.onLost called when no event can be relied on any more, until the
   *     next one
   */
  constructor({ onPool, onLost }) {
    this.#onPool = onPool;
    this.#onLost = onLost;
    document.addEventListener('visibilitychange', () => this.#restart());
  }

  /**
   * Watches a pool instead of the one before.
   *
   * @param {string | null} pool null: none
   */
  open(pool) {
    if (this.#pool !== (pool ?? '')) {
      this.#pool = pool ?? '';
      this.#restart();
    }
  }

  /** A page that is hidden closes its stream: a server has a limited number. */
  #restart() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.#lose();
    if (this.#pool && !document.hidden) {
      this.#source = this.#start(this.#pool);
    }
  }

  /** @param {string} pool */
  #start(pool) {
    const source = new EventSource(`/v1/pools/${encodeURIComponent(pool)}/watch`);
    source.addEventListener('pool', ({ data }) => {
      this.#isLive = true;
      this.#onPool(JSON.parse(data));
    });
    source.addEventListener('unavailable', () => this.#lose());
    source.addEventListener('deleted', () => {
      source.close();
      this.#lose();
      this.#restartLater();
    });
    source.addEventListener('error', () => {
      this.#lose();
      // Otherwise the browser connects again by itself.
      if (source.readyState === EventSource.CLOSED) {
        this.#restartLater();
      }
    });
    return source;
  }

  #restartLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#restart(), REFUSED_MILLIS);
  }

  #lose() {
    if (this.#isLive) {
      this.#isLive = false;
      this.#onLost();
    }
  }
}
