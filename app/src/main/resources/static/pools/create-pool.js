import { element, setText, submitButton, textInput } from '../common/dom.js';
import { createPool } from './changes-api.js';
import { linkTo } from './pool-address.js';
import { declarationOf, draftProblem } from './pool-draft.js';
import { SettingFields } from './setting-fields.js';

/** The form that creates a pool. It leads to the page of the new pool. */
export class CreatePool {
  #name = textInput('create-name', 'public-ipv4');
  #blocks = textArea('create-blocks', 4);
  #exclude = textArea('create-exclude', 2);
  #settings = new SettingFields('create', true);
  #result = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'create-result' });

  constructor() {
    const form = element(
      'form',
      {
        'class': 'pool-form',
        'aria-label': 'Create a pool',
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          this.#submit();
        },
      },
      field('Name', this.#name),
      field(
        'Blocks, one per line: 10.0.0.0/24, 2001:db8::/64, 10.0.0.0/16 by /28, 1..100',
        this.#blocks,
        'is-wide',
      ),
      field('Excluded values or blocks (optional)', this.#exclude, 'is-wide'),
      ...this.#settings.roots,
      submitButton('create-submit', 'Create'),
      this.#result,
    );
    this.root = element(
      'details',
      { 'class': 'panel create-pool', 'data-testid': 'create-pool' },
      element('summary', {}, 'Create a pool'),
      form,
    );
  }

  /** Opens the form. */
  open() {
    this.root.open = true;
  }

  async #submit() {
    const typed = {
      ...this.#settings.typed(),
      name: this.#name.value,
      blocks: this.#blocks.value,
      exclude: this.#exclude.value,
    };
    const problem = draftProblem(typed);
    if (problem) {
      this.#refuse(problem.message);
      this.#focus(problem.field);
      return;
    }
    try {
      const { name } = await createPool(declarationOf(typed));
      this.#refuse('');
      this.root.querySelector('form')?.reset();
      this.root.open = false;
      location.hash = linkTo(name);
    } catch (error) {
      this.#refuse(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} field */
  #focus(field) {
    const own = { name: this.#name, blocks: this.#blocks }[field];
    if (own) {
      own.focus();
    } else {
      this.#settings.focus(field);
    }
  }

  /** @param {string} message empty if nothing was refused */
  #refuse(message) {
    this.#result.dataset.outcome = message ? 'refused' : '';
    setText(this.#result, message);
  }
}

/**
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string} [className]
 */
function field(name, control, className = '') {
  const label = element('label', { for: control.id }, name);
  return element('div', { class: `field ${className}` }, label, control);
}

/**
 * @param {string} id
 * @param {number} rows
 */
function textArea(id, rows) {
  return element('textarea', {
    id,
    'data-testid': id,
    'class': 'mono',
    'rows': rows,
    'spellcheck': 'false',
  });
}
