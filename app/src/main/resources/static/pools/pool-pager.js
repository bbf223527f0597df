import { button, element, setText, textInput } from '../common/dom.js';
import { counted } from '../common/numbers.js';

/** @import {ValueMap} from './api.js' */

/** Maps end here, even if the pool has more values. */
const POSITIONS_MAX = 2 ** 63;

/** Goes through a pool window by window, or to a value. */
export class PoolPager {
  #position = element('p', { class: 'pager-where' });
  #previous;
  #next;
  #turn;
  #densityLink = element(
    'a',
    { 'class': 'link', 'data-testid': 'to-density', 'hidden': true },
    'Show the density',
  );
  #input = textInput('jump');
  #message = element('p', { class: 'result', role: 'status' });

  /**
   * @param {object} listeners
   * @param {(by: number) => void} listeners.onTurn
   * @param {(text: string) => void} listeners.onJump
   * @param {(direction: 'after' | 'before') => void} listeners.onHeld
   */
  constructor({ onTurn, onJump, onHeld }) {
    this.#previous = button('window-previous', '‹ Previous', () => onTurn(-1));
    this.#next = button('window-next', 'Next ›', () => onTurn(1));
    const held = element(
      'div',
      { class: 'pager-turn' },
      button('held-previous', '‹ Held', () => onHeld('before')),
      button('held-next', 'Next held ›', () => onHeld('after')),
    );
    held.firstElementChild?.setAttribute('aria-label', 'Previous held value');
    this.#turn = element('div', { class: 'pager-turn' }, this.#previous, this.#next);
    this.root = element(
      'form',
      {
        'class': 'pager',
        'aria-label': 'Go to a value',
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          onJump(this.#input.value);
        },
      },
      this.#position,
      this.#turn,
      this.#densityLink,
      held,
      element(
        'div',
        { class: 'pager-jump' },
        element('label', { for: 'jump' }, 'Go to'),
        this.#input,
        element('button', { type: 'submit', class: 'quiet' }, 'Go'),
      ),
      this.#message,
    );
  }

  /** Empties the input, for another pool. */
  reset() {
    this.#input.value = '';
  }

  /**
   * Shows the position of a map, or none beside a density.
   *
   * @param {string} densityHref empty if the pool has none
   * @param {boolean} showsDensity
   */
  showDensity(densityHref, showsDensity) {
    this.#densityLink.hidden = densityHref === '' || showsDensity;
    this.#densityLink.setAttribute('href', densityHref);
    this.#position.hidden = showsDensity;
    if (showsDensity) {
      this.#turn.hidden = true;
    }
  }

  /** @param {ValueMap} map */
  show({ from, count, total, blocks }) {
    setText(
      this.#position,
      count === total ? `All ${counted(total)} values` : positionText(from, count, total),
    );
    this.#turn.hidden = count === total;
    this.#previous.disabled = from === 0;
    this.#next.disabled = from + count >= total;
    this.#input.placeholder = blocks[0]?.first ?? '';
  }

  /** @param {string} message */
  showMessage(message) {
    setText(this.#message, message);
  }
}

/**
 * @param {number} from
 * @param {number} count
 * @param {number} total
 */
function positionText(from, count, total) {
  const more = total >= POSITIONS_MAX ? 'more than ' : '';
  return `Values ${counted(from + 1)} to ${counted(from + count)} of ${more}${counted(total)}`;
}
