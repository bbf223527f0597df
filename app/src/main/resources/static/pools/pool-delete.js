import { Actions, onEscape } from '../common/actions.js';
import { button, changeButton, element, setText, textInput } from '../common/dom.js';
import { Problem } from '../common/http.js';
import { DeleteQuestion } from './delete-question.js';

/** @import {Pool} from './api.js' */

/** Deletes a pool after its name was typed; one with held values only if that is asked for, too. */
export class PoolDelete {
  #pool = '';
  #held = 0;
  /** @type {DeleteQuestion | null} null while nothing is asked */
  #question = null;
  #actions = new Actions('div', 'delete-actions');
  #name = textInput('delete-name');
  #message = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'delete-said' });
  root = element(
    'section',
    { 'class': 'panel', 'aria-labelledby': 'delete-title' },
    element('h2', { id: 'delete-title', class: 'panel-title' }, 'Delete the pool'),
    onEscape(this.#actions.root, () => this.#ask(null)),
    this.#message,
  );

  constructor() {
    this.#name.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && this.#question !== null) {
        this.#delete(this.#question);
      }
    });
  }

  /** @param {Pool} pool */
  show({ name, held }) {
    this.#held = held;
    if (name !== this.#pool) {
      this.#pool = name;
      this.#ask(null);
    }
  }

  /** @param {DeleteQuestion | null} question */
  #ask(question) {
    this.#question = question;
    this.#name.value = '';
    setText(this.#message, '');
    this.#showActions();
  }

  #showActions() {
    const { root } = this.#actions;
    const question = this.#question;
    if (question === null) {
      this.#actions.show(`closed ${this.#pool}`, () => {
        const ask = button('delete-ask', 'Delete…', () =>
          this.#ask(new DeleteQuestion({ name: this.#pool, held: this.#held })),
        );
        return { content: [ask], next: ask };
      });
      root.className = 'delete-actions';
      return;
    }
    this.#actions.show(question.text, () => ({
      content: [
        element('label', { for: 'delete-name' }, question.text),
        this.#name,
        changeButton('delete-confirm', 'Delete it', () => this.#delete(question), 'danger'),
        button('delete-cancel', 'Keep it', () => this.#ask(null)),
      ],
      next: this.#name,
      takesFocus: true,
    }));
    root.className = 'delete-actions line-form';
  }

  /** @param {DeleteQuestion} question */
  async #delete(question) {
    const pool = this.#pool;
    if (this.#name.value.trim() !== pool) {
      setText(this.#message, `Type ${pool} to delete the pool.`);
      this.#name.focus();
      return;
    }
    try {
      const next = await question.agree();
      if (next === null) {
        location.hash = '#view=pools';
      } else if (this.#question === question) {
        this.#ask(next);
        setText(this.#message, 'It was not deleted: its values were claimed meanwhile.');
      }
    } catch (error) {
      const isGone = error instanceof Problem && error.status === 404;
      setText(this.#message, isGone ? 'It is deleted.' : /** @type {Error} */ (error).message);
    }
  }
}
