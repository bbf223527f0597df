import { Actions, onEscape } from '../common/actions.js';
import { button, changeButton, element, setText, textInput } from '../common/dom.js';
import { Problem } from '../common/http.js';
import { counted } from '../common/numbers.js';
import { deletePool } from './changes-api.js';

/** @import {Pool} from './api.js' */

/** Deletes a pool after its name was typed; one with held values only if that is asked for, too. */
export class PoolDelete {
  #pool = '';
  #held = 0;
  #isAsking = false;
  #actions = new Actions('div', 'delete-actions');
  #name = textInput('delete-name');
  #message = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'delete-said' });
  root = element(
    'section',
    { 'class': 'panel', 'aria-labelledby': 'delete-title' },
    element('h2', { id: 'delete-title', class: 'panel-title' }, 'Delete the pool'),
    onEscape(this.#actions.root, () => this.#ask(false)),
    this.#message,
  );

  constructor() {
    this.#name.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        this.#delete();
      }
    });
  }

  /** @param {Pool} pool */
  show({ name, held }) {
    this.#held = held;
    if (name !== this.#pool) {
      this.#pool = name;
      this.#ask(false);
    }
  }

  /** @param {boolean} isAsking */
  #ask(isAsking) {
    this.#isAsking = isAsking;
    this.#name.value = '';
    setText(this.#message, '');
    this.#showActions();
  }

  #showActions() {
    const { root } = this.#actions;
    if (!this.#isAsking) {
      this.#actions.show(`closed ${this.#pool}`, () => {
        const ask = button('delete-ask', 'Delete…', () => this.#ask(true));
        return { content: [ask], next: ask };
      });
      root.className = 'delete-actions';
      return;
    }
    this.#actions.show(`open ${this.#pool}`, () => ({
      content: [
        element('label', { for: 'delete-name' }, questionOn(this.#pool, this.#held)),
        this.#name,
        changeButton('delete-confirm', 'Delete it', () => this.#delete(), 'danger'),
        button('delete-cancel', 'Keep it', () => this.#ask(false)),
      ],
      next: this.#name,
      takesFocus: true,
    }));
    root.className = 'delete-actions line-form';
  }

  async #delete() {
    if (this.#name.value.trim() !== this.#pool) {
      setText(this.#message, `Type ${this.#pool} to delete the pool.`);
      this.#name.focus();
      return;
    }
    try {
      await deletePool(this.#pool, this.#held > 0);
      location.hash = '#view=pools';
    } catch (error) {
      const isGone = error instanceof Problem && error.status === 404;
      setText(this.#message, isGone ? 'It is deleted.' : /** @type {Error} */ (error).message);
    }
  }
}

/**
 * @param {string} pool
 * @param {number} held
 */
function questionOn(pool, held) {
  const lost =
    held === 0
      ? 'Its history is deleted with it.'
      : `${counted(held)} of its values are held: their claims are deleted, too, and their clients are not told.`;
  return `${lost} Type ${pool} to delete it.`;
}
