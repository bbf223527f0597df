import { readAddress, writeAllOfAddress } from '../common/address.js';
import { announce, button, byId, element } from '../common/dom.js';
import { LatestSignal, Problem } from '../common/http.js';
import { addressOf, answersOf } from './answers.js';
import { compare } from './api.js';
import { QuestionForm } from './question-form.js';
import { recommendationElement } from './recommendation.js';
import { schemeTable } from './scheme-table.js';

/**
 * @import {Comparison} from './api.js'
 * @import {View} from '../views.js'
 */

/**
 * Asks what decides which identifier fits a table, and recommends one. The answers are in the
 * address; the server knows the questions and decides.
 */
export class Compare {
  #result = byId('compare-result');
  #error = byId('compare-error');
  #table = byId('compare-table');
  #all = byId('compare-all', HTMLInputElement);
  #now = byId('compare-now');
  #form = new QuestionForm((isTyped) => this.#answer(isTyped));
  #signal = new LatestSignal();
  /** @type {Comparison | null} */
  #comparison = null;

  /** @returns {View} */
  start() {
    this.#all.addEventListener('change', () => this.#showTable());
    this.#now.addEventListener('click', () => byId('compare-outcome').focus());
    return {
      follow: () => this.#follow(),
      leave: () => {
        this.#signal.next();
      },
    };
  }

  /** @param {boolean} isTyped */
  #answer(isTyped) {
    writeAllOfAddress(addressOf(this.#form.answers, this.#form.defaults), { replace: isTyped });
    this.#follow();
  }

  async #follow() {
    const answers = answersOf(readAddress);
    const signal = this.#signal.next();
    if (this.#form.isMade) {
      this.#form.show(answers);
    }
    this.#result.setAttribute('aria-busy', 'true');
    try {
      const comparison = await compare(answers, signal);
      this.#makeForm(comparison, answers);
      this.#error.replaceChildren();
      this.#show(comparison);
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(/** @type {Error} */ (error));
        await this.#askAnyway(error, answers, signal);
      }
    } finally {
      if (!signal.aborted) {
        this.#result.removeAttribute('aria-busy');
      }
    }
  }

  /**
   * Shows the form although an answer of the address is invalid, so that it can be corrected.
   *
   * @param {unknown} error
   * @param {Record<string, string>} answers
   * @param {AbortSignal} signal
   */
  async #askAnyway(error, answers, signal) {
    if (error instanceof Problem && error.status === 400 && !this.#form.isMade) {
      const asked = await compare({}, signal).catch(() => null);
      if (asked) {
        this.#makeForm(asked, answers);
      }
    }
  }

  /**
   * @param {Comparison} comparison
   * @param {Record<string, string>} answers
   */
  #makeForm({ questions }, answers) {
    if (!this.#form.isMade) {
      this.#form.make(questions);
      this.#form.show(answers);
    }
  }

  /** @param {Comparison} comparison */
  #show(comparison) {
    const { take } = comparison.recommendation;
    if (this.#comparison !== null && this.#comparison.recommendation.take !== take) {
      announce(`Recommended: ${take}`);
    }
    this.#comparison = comparison;
    this.#now.textContent = `→ ${take}`;
    this.#result.replaceChildren(recommendationElement(comparison.recommendation));
    this.#showTable();
  }

  #showTable() {
    if (this.#comparison) {
      this.#table.replaceChildren(schemeTable(this.#comparison, this.#all.checked));
    }
  }

  /** @param {Error} error */
  #fail(error) {
    this.#comparison = null;
    this.#now.textContent = error.message;
    this.#result.replaceChildren();
    this.#table.replaceChildren();
    const retry =
      error instanceof Problem && error.status === 400
        ? null
        : button('compare-retry', 'Try again', () => this.#follow());
    this.#error.replaceChildren(
      element('p', { class: 'notice is-error' }, `${error.message} `, retry ?? ''),
    );
  }
}
