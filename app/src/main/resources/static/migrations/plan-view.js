import { copyable } from '../common/copy.js';
import { changeButton, element } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { lockElement } from './lock.js';
import { applyCommand, byPhase, costText, valueText } from './phases.js';

/** @import {Invalid, Plan, PlannedStep, PlanState, Refusal} from './api.js' */

/** Phases with more steps are closed at first. */
const OPEN_STEPS_MAX = 12;

/** @type {[Invalid, string][]} */
const INVALID = [
  ['refuse', 'refuse them'],
  ['normalise', 'normalise their spelling'],
  ['quarantine', 'normalise, or quarantine them'],
];

/** The plan for the catalog: its steps as a timeline, and the command that applies it. */
export class PlanView {
  #onPlan;
  #shown = '';
  #invalid = element(
    'select',
    { 'id': 'plan-invalid', 'data-testid': 'plan-invalid' },
    ...INVALID.map(([value, name]) => element('option', { value }, name)),
  );
  #head = element('div', { class: 'plan-head' });
  #body = element('div', { class: 'plan-body' });
  root = element(
    'section',
    { 'class': 'migration-panel', 'aria-labelledby': 'plan-title' },
    element('h2', { id: 'plan-title' }, 'Plan'),
    this.#head,
    this.#body,
  );

  /** @param {(invalid: Invalid) => void} onPlan */
  constructor(onPlan) {
    this.#onPlan = onPlan;
  }

  /**
   * @param {PlanState} state
   * @param {boolean} isActive whether a migration is active, so that nothing can be planned
   */
  show(state, isActive) {
    this.root.hidden = isActive;
    const key = JSON.stringify([state.running_since, state.planned_at, state.reading]);
    if (key === this.#shown) {
      return;
    }
    this.#shown = key;
    const hadFocus = this.#head.contains(document.activeElement);
    const acts = this.#acts(state);
    this.#head.replaceChildren(...acts);
    if (hadFocus) {
      acts.find((act) => act instanceof HTMLElement && act.tabIndex >= 0)?.focus();
    }
    this.#body.replaceChildren(...this.#contents(state));
  }

  /**
   * @param {PlanState} state
   * @returns {HTMLElement[]}
   */
  #acts(state) {
    if (state.catalog === null) {
      return [
        element(
          'p',
          { 'class': 'notice', 'data-testid': 'plan-without-catalog' },
          'The server was started without a catalog, so there is nothing to plan: write mintmark.yaml in its directory, or name one with --catalog, and start it again.',
        ),
      ];
    }
    if (state.running_since) {
      return [
        element(
          'p',
          { 'class': 'running', 'data-testid': 'plan-running', 'tabindex': '0' },
          state.reading ? `Reading ${state.reading} in full, since ` : 'Planning, since ',
          timeElement(state.running_since, { fraction: false }),
        ),
      ];
    }
    this.#invalid.value = state.invalid ?? 'refuse';
    return [
      changeButton(
        'plan-run',
        state.planned_at ? 'Plan again' : 'Make a plan',
        () => this.#onPlan(/** @type {Invalid} */ (this.#invalid.value)),
        'primary',
      ),
      element('label', { for: 'plan-invalid' }, 'Keys that are not identifiers'),
      this.#invalid,
      element(
        'p',
        { class: 'hint' },
        `Compares the database with ${state.catalog} and changes nothing. It can read tables of text keys in full.`,
      ),
    ];
  }

  /** @param {PlanState} state */
  #contents(state) {
    if (state.failure) {
      return [element('p', { class: 'notice is-error' }, `Planning failed: ${state.failure}`)];
    }
    const { plan } = state;
    if (!plan || plan.fingerprint === null) {
      return [];
    }
    return [
      element(
        'p',
        { 'class': 'hint', 'data-testid': 'plan-as-of' },
        `Plan ${plan.fingerprint}, as of `,
        timeElement(state.planned_at ?? '', { fraction: false }),
      ),
      ...refusalElements(plan.refusals),
      ...(plan.steps.length === 0 && plan.refusals.length === 0
        ? [
            element(
              'p',
              { 'class': 'notice', 'data-testid': 'plan-empty' },
              'Nothing to do: the database matches the catalog.',
            ),
          ]
        : []),
      ...(plan.steps.length > 0 ? timeline(plan) : []),
      ...noteElements(plan.notes),
      ...(plan.steps.length > 0 && plan.refusals.length === 0 ? applying(plan, state) : []),
    ];
  }
}

/** @param {Plan} plan */
function timeline(plan) {
  let ordinal = 1;
  return [
    element(
      'p',
      { 'class': 'plan-total', 'data-testid': 'plan-total' },
      `${plan.steps.length} steps. At full pace: ${costText(plan.estimate) || 'milliseconds'}. Each lock is held as stated, and a step that does not get its lock within 100 ms releases everything and tries again.`,
    ),
    element(
      'ol',
      { 'class': 'timeline', 'aria-label': 'Timeline' },
      ...byPhase(plan.steps).map(({ phase, about, steps }) => {
        const first = ordinal;
        ordinal += steps.length;
        return element(
          'li',
          { 'class': 'phase', 'data-phase': phase, 'data-testid': 'plan-phase' },
          ...(phase === 'contract' ? [pointOfNoReturn(plan)] : []),
          element(
            'details',
            { open: steps.length <= OPEN_STEPS_MAX },
            element(
              'summary',
              {},
              element('span', { class: 'phase-name' }, phase),
              element('span', { class: 'hint' }, `${stepsText(steps.length)}. ${about}`),
            ),
            element(
              'ol',
              { class: 'work-steps', start: first },
              ...steps.map((step) => stepElement(step)),
            ),
          ),
        );
      }),
    ),
  ];
}

/** @param {Plan} plan */
function pointOfNoReturn({ limits }) {
  const until = limits
    .map(({ column, last }) => ` or until ${column} exceeds ${valueText(last)}`)
    .join('');
  return element(
    'p',
    { 'class': 'no-return', 'data-testid': 'no-return' },
    `Everything above can be rolled back, until you contract${until}. What follows cannot be undone.`,
  );
}

/** @param {number} count */
function stepsText(count) {
  return count === 1 ? '1 step' : `${count} steps`;
}

/** @param {PlannedStep} step */
function stepElement({ title, locks, estimate, apply, undo }) {
  const cost = costText(estimate);
  return element(
    'li',
    { 'class': 'work-step', 'data-testid': 'plan-step' },
    element(
      'div',
      { class: 'step-line' },
      element('p', { class: 'step-title' }, title),
      element('div', {}, ...locks.map(lockElement)),
      element('p', { class: 'hint' }, cost),
    ),
    ...(apply.length + undo.length > 0 ? [sqlElement(apply, undo, title)] : []),
  );
}

/**
 * The statements, which are shown on demand: they are long.
 *
 * @param {string[]} apply
 * @param {string[]} undo
 * @param {string} title
 */
function sqlElement(apply, undo, title) {
  const details = element('details', { class: 'sql' }, element('summary', {}, 'SQL'));
  details.addEventListener(
    'toggle',
    () => {
      if (apply.length > 0) {
        details.append(copyable('step-sql', script(apply), `the SQL of: ${title}`));
      }
      if (undo.length > 0) {
        details.append(
          element('p', { class: 'hint' }, 'A rollback runs:'),
          copyable('step-undo', script(undo), `the SQL that undoes: ${title}`),
        );
      }
    },
    { once: true },
  );
  return details;
}

/** @param {string[]} statements */
function script(statements) {
  return statements.map((statement) => `${statement.trim()};`).join('\n');
}

/** @param {Refusal[]} refusals */
function refusalElements(refusals) {
  if (refusals.length === 0) {
    return [];
  }
  return [
    element('h3', {}, 'Refused: the plan cannot be applied'),
    element(
      'ul',
      { class: 'refusals' },
      ...refusals.map((refusal) =>
        element(
          'li',
          { 'class': 'refusal', 'data-testid': 'refusal' },
          element(
            'p',
            {},
            element('strong', {}, refusal.object),
            `: ${refusal.reason}`,
            refusal.did_you_mean ? `; did you mean "${refusal.did_you_mean}"?` : '',
          ),
          element('p', {}, element('strong', {}, 'Remedy: '), refusal.remedy),
          element(
            'p',
            { class: 'hint' },
            refusal.file ? `${refusal.file}:${refusal.line}, ` : '',
            refusal.code,
          ),
        ),
      ),
    ),
  ];
}

/** @param {string[]} notes */
function noteElements(notes) {
  if (notes.length === 0) {
    return [];
  }
  return [
    element('h3', {}, 'Notes'),
    element('ul', { class: 'notes' }, ...notes.map((note) => element('li', {}, note))),
  ];
}

/**
 * @param {Plan} plan
 * @param {PlanState} state
 */
function applying(plan, state) {
  return [
    element('h3', {}, 'Apply it'),
    element(
      'p',
      {},
      'A migration is begun in a terminal, in the directory of the catalog, as the role that owns the tables. Name the database as for the server: with --database-url, --data or PGHOST. This page then follows the run.',
    ),
    copyable('apply-command', applyCommand(plan, state), 'the command'),
  ];
}
