import {
  createClaims,
  findHeld,
  findWindow,
  readClaim,
  releaseClaim,
  renewClaim,
  setNote,
} from './api.js';
import { claimGranted, claimRefused, listedClaimAnswered } from './claims-state.js';
import {
  cellRevealed,
  indexOfValue,
  releaseAnswered,
  valueSought,
  windowOpened,
} from './cursor-state.js';
import { linkToRange } from './pool-address.js';
import { WINDOW_VALUES, isLarge, jumpAnswered, selectedPool, valueMissed } from './pool-state.js';
import { canonical } from './values.js';

/**
 * @import {Claim, ClaimRequest} from './api.js'
 * @import {ClaimsLoader} from './claims-loader.js'
 * @import {DetailsLoader} from './details-loader.js'
 * @import {PoolPolling} from './pool-polling.js'
 * @import {PoolsState} from './pool-state.js'
 * @import {Store} from '../common/store.js'
 */

const CLAIM_MILLIS_MAX = 10_000;

/** The commands of the user for the selected pool. */
export class PoolCommands {
  #store;
  #polling;
  #claims;
  #details;

  /**
   * @param {Store<PoolsState>} store
   * @param {PoolPolling} polling
   * @param {ClaimsLoader} claims
   * @param {DetailsLoader} details
   */
  constructor(store, polling, claims, details) {
    this.#store = store;
    this.#polling = polling;
    this.#claims = claims;
    this.#details = details;
  }

  /**
   * Opens the next window, or the one before.
   *
   * @param {number} by 1 or -1
   */
  turnWindow(by) {
    this.#store.update(windowOpened, this.#store.state.window.from + by * WINDOW_VALUES);
    this.#polling.reloadMap();
  }

  /**
   * Reveals the value that the user typed.
   *
   * @param {string} text
   */
  async jump(text) {
    if (text.trim()) {
      await this.reveal(text);
    } else {
      this.#store.update(jumpAnswered, 'Enter a value.');
    }
  }

  /**
   * Pins a value and scrolls to it, in whichever window it is.
   *
   * @param {string} text of the value
   */
  async reveal(text) {
    const value = canonical(text.trim());
    this.#store.update(jumpAnswered, '');
    const index = indexOfValue(this.#store.state, value);
    if (index === null) {
      await this.#openWindowOf(value);
    } else {
      this.#store.update(cellRevealed, index);
    }
  }

  /** @param {string} value */
  async #openWindowOf(value) {
    const pool = this.#store.state.selected ?? '';
    try {
      const from = await findWindow(pool, value, WINDOW_VALUES);
      if (this.#isSelected(pool)) {
        this.#store.update(windowOpened, from, value);
        this.#polling.reloadMap();
      }
    } catch (error) {
      if (this.#isSelected(pool) && !(await this.#showPartOf(pool, value))) {
        this.#store.update(valueMissed, messageOf(error));
      }
    }
  }

  /**
   * Shows the part of a vast pool that a held value is: values after the first 2^63 have no cell.
   *
   * @param {string} pool
   * @param {string} value
   * @returns {Promise<boolean>} false if the value is not held
   */
  async #showPartOf(pool, value) {
    if (!isLarge(selectedPool(this.#store.state))) {
      return false;
    }
    try {
      const { client } = await readClaim(pool, value, AbortSignal.timeout(CLAIM_MILLIS_MAX));
      if (this.#isSelected(pool)) {
        location.hash = linkToRange(pool, { from: value, to: value });
        this.#store.update(jumpAnswered, `${value} is held by ${client}.`);
      }
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Reveals the next or the previous held value: from the selected value, or from what is shown.
   *
   * @param {'after' | 'before'} direction
   */
  async revealHeld(direction) {
    const { selected, value, window, range } = this.#store.state;
    const pool = selected ?? '';
    const last = window.cells[window.cells.length - 1]?.value ?? range?.to;
    const first = window.cells[0]?.value ?? range?.from;
    const start = value || (direction === 'after' ? (window.from > 0 ? first : range?.from) : last);
    try {
      const claim = await findHeld(pool, direction, start ?? '');
      if (!this.#isSelected(pool)) {
        return;
      }
      if (claim) {
        await this.reveal(claim.value);
      } else {
        const where = start ? ` ${direction} ${start}` : '';
        this.#store.update(jumpAnswered, `No value is held${where}.`);
      }
    } catch (error) {
      if (this.#isSelected(pool)) {
        this.#store.update(jumpAnswered, messageOf(error));
      }
    }
  }

  /** @param {ClaimRequest} wanted */
  async claim(wanted) {
    const pool = this.#store.state.selected ?? '';
    try {
      const answer = await createClaims(pool, wanted);
      if (this.#isSelected(pool)) {
        this.#store.update(claimGranted, answer);
        this.#polling.reload();
        await this.#revealInNextMap(answer.claims[0].value);
      }
    } catch (error) {
      if (this.#isSelected(pool)) {
        this.#store.update(claimRefused, messageOf(error));
      }
    }
  }

  /** @param {string} value */
  async #revealInNextMap(value) {
    if (indexOfValue(this.#store.state, value) === null) {
      await this.#openWindowOf(value);
    } else {
      this.#store.update(valueSought, value);
    }
  }

  /**
   * Releases the claim that the details show.
   *
   * @param {Claim} claim
   */
  async releaseShown(claim) {
    try {
      await releaseClaim(claim);
      this.#store.update(releaseAnswered, `${claim.value} was released.`);
      this.#polling.reload();
    } catch (error) {
      this.#store.update(releaseAnswered, messageOf(error));
      this.#details.load();
    }
  }

  /**
   * Renews a claim of the table.
   *
   * @param {Claim} claim
   */
  async renewListed(claim) {
    await this.#changeListed(() => renewClaim(claim), `${claim.value} was renewed.`);
  }

  /**
   * Releases a claim of the table.
   *
   * @param {Claim} claim
   */
  async releaseListed(claim) {
    await this.#changeListed(() => releaseClaim(claim), `${claim.value} was released.`);
  }

  /**
   * Writes about a claim of the table. Fails with what the server rejected, so that it can be
   * mended.
   *
   * @param {Claim} claim
   * @param {Parameters<typeof setNote>[1]} note
   */
  async labelListed(claim, note) {
    await setNote(claim, note);
    this.#store.update(listedClaimAnswered, `The labels of ${claim.value} were saved.`);
    this.#claims.load();
  }

  /**
   * @param {() => Promise<void>} change
   * @param {string} done
   */
  async #changeListed(change, done) {
    try {
      await change();
      this.#store.update(listedClaimAnswered, done);
      this.#polling.reload();
    } catch (error) {
      this.#store.update(listedClaimAnswered, messageOf(error));
      this.#claims.load();
    }
  }

  /** @param {string} pool */
  #isSelected(pool) {
    return this.#store.state.selected === pool;
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return /** @type {Error} */ (error).message;
}
