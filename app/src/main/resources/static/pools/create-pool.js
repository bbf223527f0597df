import { element, setText, submitButton, textInput } from '../common/dom.js';
import { createPool } from './changes-api.js';
import { linkTo } from './pool-address.js';
import { declarationOf, draftProblem } from './pool-draft.js';

/** @type {[name: string, label: string, placeholder: string][]} */
const FIELDS = [
  ['name', 'Name', 'public-ipv4'],
  ['lease', 'Lease', 'none'],
  ['quarantine', 'Quarantine', '1m'],
  ['history', 'History', '90d'],
  ['per_client', 'Values per client', '1'],
  ['per_owner', 'Values per owner', 'any number'],
];

/** The form that creates a pool. It leads to the page of the new pool. */
export class CreatePool {
  #inputs = Object.fromEntries(
    FIELDS.map(([name, , placeholder]) => [name, textInput(`create-${name}`, placeholder)]),
  );
  #blocks = textArea('create-blocks', 4);
  #exclude = textArea('create-exclude', 2);
  #order = choice('create-order', [
    ['', 'default'],
    ['random', 'random'],
    ['ascending', 'lowest value first'],
  ]);
  #sticky = choice('create-sticky', [
    ['', 'default: yes'],
    ['yes', 'yes'],
    ['no', 'no'],
  ]);
  #result = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'create-result' });

  constructor() {
    const [[, nameLabel], ...others] = FIELDS;
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
      field(nameLabel, this.#inputs.name),
      field('Blocks, one per line: 10.0.0.0/24, 2001:db8::/64, 1..100', this.#blocks, 'is-wide'),
      field('Excluded values or blocks (optional)', this.#exclude, 'is-wide'),
      ...others.map(([name, label]) => field(label, this.#inputs[name])),
      field('Order', this.#order),
      field('A returning client gets its last value', this.#sticky),
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
      ...Object.fromEntries(Object.entries(this.#inputs).map(([name, { value }]) => [name, value])),
      blocks: this.#blocks.value,
      exclude: this.#exclude.value,
      order: this.#order.value,
      sticky: this.#sticky.value,
    };
    const problem = draftProblem(typed);
    if (problem) {
      this.#refuse(problem.message);
      (this.#inputs[problem.field] ?? this.#blocks).focus();
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

/**
 * @param {string} id
 * @param {[value: string, name: string][]} options
 */
function choice(id, options) {
  return element(
    'select',
    { id, 'data-testid': id },
    ...options.map(([value, name]) => element('option', { value }, name)),
  );
}
