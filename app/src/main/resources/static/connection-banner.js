import { byId, setText } from './common/dom.js';

/** The banner for a server that cannot be reached, with the time of the data on the page. */
export class ConnectionBanner {
  #banner = byId('connection-lost');
  #detail = byId('connection-detail');
  #answeredAt = new Date();

  /** @param {() => void} listener */
  onRetry(listener) {
    byId('connection-retry').addEventListener('click', listener);
  }

  answered() {
    this.#answeredAt = new Date();
    this.forget();
  }

  /** Nobody retries any more: the view that did was left. */
  forget() {
    this.#banner.hidden = true;
    document.body.classList.remove('is-stale');
    this.#allowChanges(true);
  }

  /**
   * @param {Error} error
   * @param {number} waitMillis until the next attempt
   */
  lost(error, waitMillis) {
    const time = this.#answeredAt.toISOString().slice(11, 19);
    setText(
      this.#detail,
      `${error.message} The page shows data of ${time} UTC. Retrying every ${waitMillis / 1000} s.`,
    );
    this.#banner.hidden = false;
    document.body.classList.add('is-stale');
    this.#allowChanges(false);
  }

  /**
   * Buttons made by `changeButton` are disabled while the server is gone.
   *
   * @param {boolean} areAllowed
   */
  #allowChanges(areAllowed) {
    for (const button of document.querySelectorAll('button[data-changes]')) {
      if (button instanceof HTMLButtonElement) {
        button.disabled = !areAllowed;
      }
    }
  }
}
