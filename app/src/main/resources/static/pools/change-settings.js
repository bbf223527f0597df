import { button, changeButton, element, setText, submitButton } from '../common/dom.js';
import { applyChange, planChange } from './changes-api.js';
import { changeOf, draftOf, settingProblem } from './pool-draft.js';
import { SettingFields } from './setting-fields.js';

/**
 * @import {Pool} from './api.js'
 * @import {PoolChange} from './changes-api.js'
 */

/** The form that changes settings of a pool: first it shows what the change means, then it applies. */
export class ChangeSettings {
  /** @type {Pool | null} */
  #pool = null;
  /** @type {Record<string, unknown>} what the plan that is shown is for */
  #wanted = {};
  #fields = new SettingFields('change', false);
  #plan = element('div', { 'class': 'change-plan', 'data-testid': 'change-plan', 'hidden': true });
  #result = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'change-result' });
  #onChange;

  /** @param {() => void} onChange called after a change, to load the pool again */
  constructor(onChange) {
    this.#onChange = onChange;
    const form = element(
      'form',
      {
        'class': 'pool-form',
        'aria-label': 'Change settings',
        'novalidate': true,
        'oninput': () => this.#withdraw(),
        'onsubmit': (event) => {
          event.preventDefault();
          this.#showPlan();
        },
      },
      ...this.#fields.roots,
      submitButton('change-submit', 'Show what changes'),
      this.#result,
    );
    this.root = element(
      'details',
      { 'class': 'panel create-pool', 'data-testid': 'change-settings' },
      element('summary', {}, 'Change settings'),
      form,
      this.#plan,
    );
    this.root.addEventListener('toggle', () => this.root.open && this.#fill());
  }

  /** @param {Pool} pool */
  show(pool) {
    const isOther = pool.name !== this.#pool?.name;
    this.#pool = pool;
    if (isOther) {
      this.root.open = false;
      this.#fill();
    }
  }

  #fill() {
    this.#fields.fill(this.#pool ? draftOf(this.#pool) : {});
    this.#withdraw();
  }

  /** What is typed has changed, so a plan no longer says what happens. */
  #withdraw() {
    this.#plan.hidden = true;
    this.#say('', '');
  }

  async #showPlan() {
    const pool = this.#pool;
    if (!pool) {
      return;
    }
    const typed = this.#fields.typed();
    const problem = settingProblem(typed);
    if (problem) {
      this.#say(problem.message, 'refused');
      this.#fields.focus(problem.field);
      return;
    }
    this.#wanted = changeOf(typed, pool);
    if (Object.keys(this.#wanted).length === 0) {
      this.#say('Nothing changes: the pool has these settings.', 'granted');
      return;
    }
    try {
      const plan = await planChange(pool.name, this.#wanted);
      this.#say('', '');
      this.#show(plan);
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, 'refused');
    }
  }

  /** @param {PoolChange} plan */
  #show(plan) {
    const apply = changeButton('change-apply', 'Apply', () => this.#apply(), 'primary');
    this.#plan.replaceChildren(
      element('h3', {}, 'What changes'),
      element(
        'table',
        { class: 'claims' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...['setting', 'before', 'after', 'effect'].map((name) =>
              element('th', { scope: 'col' }, name),
            ),
          ),
        ),
        element('tbody', {}, ...plan.changes.map(changeRow)),
      ),
      element(
        'div',
        { class: 'delete-actions' },
        apply,
        button('change-cancel', 'Cancel', () => this.#fill()),
      ),
    );
    this.#plan.hidden = false;
    apply.focus();
  }

  async #apply() {
    const pool = this.#pool;
    if (!pool) {
      return;
    }
    try {
      const { changes } = await applyChange(pool.name, this.#wanted);
      this.#plan.hidden = true;
      this.#say(`Changed: ${changes.map(({ setting }) => nameOf(setting)).join(', ')}.`, 'granted');
      this.#onChange();
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

/** @param {PoolChange['changes'][number]} change */
function changeRow({ setting, before, after, effect }) {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, nameOf(setting)),
    element('td', { 'class': 'mono', 'data-label': 'before' }, before),
    element('td', { 'class': 'mono', 'data-label': 'after' }, after),
    element('td', { 'data-label': 'effect' }, effect),
  );
}

/** @param {string} setting */
function nameOf(setting) {
  return setting.replaceAll('_', ' ');
}
