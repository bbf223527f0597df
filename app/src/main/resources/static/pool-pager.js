import { button, element, setText, textInput } from './dom.js';
import { counted } from './numbers.js';

/** @import {ValueMap} from './api.js' */

/** Maps end here, even if the pool has more values. */
const POSITIONS_MAX = 2 ** 63;

/** Goes through a pool window by window, or to a value. */
export class PoolPager {
  #position = element('p', { class: 'pager-where' });
  #previous;
  #next;
  #turn;
  #input = textInput('jump');
  #message = element('p', { class: 'result', role: 'status' });

  /**
   * @param {object} listeners
   * @param {(by: number) => void} listeners.onTurn
   * @param {(text: string) => void} listeners.onJump
   */
  constructor({ onTurn, onJump }) {
    this.#previous = button('window-previous', '‹ Previous', () => onTurn(-1));
    this.#next = button('window-next', 'Next ›', () => onTurn(1));
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
