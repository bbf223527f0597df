import { byId, element, textInput } from '../common/dom.js';

/** @import {Question} from './api.js' */

const TYPING_PAUSE_MILLIS = 300;
const RATE_DEFAULT = '1000000';
const YEARS_DEFAULT = '1';

/**
 * The questions as a form. It is made of what the server asks, once; later only its values change,
 * so the focus stays.
 */
export class QuestionForm {
  #form = byId('compare-form', HTMLFormElement);
  #rate = textInput('compare-rate', RATE_DEFAULT);
  #years = textInput('compare-years', YEARS_DEFAULT);
  #typingTimer = 0;
  /** @type {Record<string, string>} */
  #defaults = { rate: RATE_DEFAULT, years: YEARS_DEFAULT };

  /** @param {(isTyped: boolean) => void} onAnswer */
  constructor(onAnswer) {
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    this.#form.addEventListener('change', (event) => {
      if (event.target instanceof HTMLInputElement && event.target.type === 'radio') {
        onAnswer(false);
      }
    });
    for (const input of [this.#rate, this.#years]) {
      input.inputMode = 'decimal';
      input.addEventListener('input', () => {
        clearTimeout(this.#typingTimer);
        this.#typingTimer = setTimeout(() => onAnswer(true), TYPING_PAUSE_MILLIS);
      });
    }
  }

  get isMade() {
    return this.#form.childElementCount > 0;
  }

  /** The default answers by key. */
  get defaults() {
    return this.#defaults;
  }

  /** @param {Question[]} questions */
  make(questions) {
    for (const { key, answers } of questions) {
      this.#defaults[key] = answers[0].value;
    }
    this.#form.replaceChildren(
      element(
        'div',
        { class: 'load' },
        numberField('Ids per second, by all processes', this.#rate),
        numberField('Years', this.#years),
      ),
      ...questions.map(questionElement),
    );
  }

  /**
   * Shows these answers, and the default ones of the other questions.
   *
   * @param {Record<string, string>} answers
   */
  show(answers) {
    for (const [key, preset] of Object.entries(this.#defaults)) {
      const value = answers[key] ?? preset;
      const field = this.#form.elements.namedItem(key);
      if (field instanceof RadioNodeList) {
        field.value = value;
      }
    }
    showText(this.#rate, answers.rate ?? '');
    showText(this.#years, answers.years ?? '');
  }

  /** @returns {Record<string, string>} */
  get answers() {
    const chosen = Object.keys(this.#defaults).flatMap((key) => {
      const field = this.#form.elements.namedItem(key);
      return field instanceof RadioNodeList ? [[key, field.value]] : [];
    });
    return {
      ...Object.fromEntries(chosen),
      rate: this.#rate.value,
      years: this.#years.value,
    };
  }
}

/**
 * @param {HTMLInputElement} input
 * @param {string} text
 */
function showText(input, text) {
  if (input.value.trim() !== text) {
    input.value = text;
  }
}

/**
 * @param {string} name
 * @param {HTMLInputElement} input
 */
function numberField(name, input) {
  return element('div', { class: 'field' }, element('label', { for: input.id }, name), input);
}

/** @param {Question} question */
function questionElement({ key, text, answers }) {
  return element(
    'fieldset',
    { 'class': 'question', 'data-testid': 'question', 'data-key': key },
    element('legend', {}, text),
    ...answers.map((answer) =>
      element(
        'label',
        { class: 'answer' },
        element('input', {
          'type': 'radio',
          'name': key,
          'value': answer.value,
          'data-testid': `answer-${key}-${answer.value}`,
        }),
        element('span', {}, answer.text),
      ),
    ),
  );
}
