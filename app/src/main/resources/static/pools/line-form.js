import { element, setText, submitButton, textInput } from '../common/dom.js';

/**
 * @typedef {object} LineField
 * @property {string} id
 * @property {string} name
 * @property {string} [placeholder]
 * @property {string} missing what to say if it is empty; an empty text allows that
 */

/** A form of a line: some inputs, a button, and what came of it. */
export class LineForm {
  #fields;
  #inputs;
  #submit;
  #result;

  /**
   * @param {object} options
   * @param {string} options.name in test ids
   * @param {string} options.label for screen readers
   * @param {LineField[]} options.fields
   * @param {string} options.action the name of the button
   * @param {(...texts: string[]) => Promise<string>} options.onSubmit the texts without the spaces
   *     around them; resolves to what was done, and the inputs are emptied
   */
  constructor({ name, label, fields, action, onSubmit }) {
    this.#fields = fields;
    this.#submit = onSubmit;
    this.#inputs = fields.map(({ id, placeholder }) => textInput(id, placeholder));
    this.#result = element('p', {
      'class': 'result',
      'role': 'status',
      'data-testid': `${name}-result`,
    });
    this.root = element(
      'form',
      {
        'class': 'line-form',
        'aria-label': label,
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          this.#onSubmit();
        },
      },
      ...fields.map(({ id, name: text }, at) =>
        element('div', { class: 'field' }, element('label', { for: id }, text), this.#inputs[at]),
      ),
      submitButton(`${name}-submit`, action),
      this.#result,
    );
  }

  /** Empties it, for another pool. */
  reset() {
    this.#inputs.forEach((input) => (input.value = ''));
    this.#say('', '');
  }

  async #onSubmit() {
    const texts = this.#inputs.map(({ value }) => value.trim());
    const at = this.#fields.findIndex(({ missing }, index) => missing && !texts[index]);
    if (at >= 0) {
      this.#say(this.#fields[at].missing, 'refused');
      this.#inputs[at].focus();
      return;
    }
    try {
      const done = await this.#submit(...texts);
      this.#inputs.forEach((input) => (input.value = ''));
      this.#say(done, 'granted');
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, 'refused');
    }
  }

  /**
   * @param {string} text
   * @param {string} outcome
   */
  #say(text, outcome) {
    this.#result.dataset.outcome = outcome;
    setText(this.#result, text);
  }
}
