import { Actions } from '../common/actions.js';
import { KeyedChildren, changeButton, element, setText } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { lockElement } from './lock.js';
import {
  byPhase,
  commandsOf,
  marginText,
  phaseStates,
  presentStep,
  progressText,
  runnerText,
} from './phases.js';

/**
 * @import {Command, Migration, Phase, Step} from './api.js'
 * @import {PhaseState} from './phases.js'
 */

/** @type {Record<Command, [string, string]>} the name and the class of each button */
const BUTTONS = {
  pause: ['Pause', 'quiet'],
  resume: ['Resume', 'primary'],
  rollback: ['Roll back…', 'quiet'],
  contract: ['Contract…', 'danger'],
};

/** @type {Record<PhaseState, string>} */
const PHASE_STATES = { done: 'done', present: 'now', pending: 'to come', undone: 'undone' };

/** One migration: where it is, why it waits, what can be done with it, and its steps. */
export class MigrationView {
  #onCommand;
  #title = element('h2', { id: 'migration-title' });
  #about = element('p', { class: 'hint' });
  #runner = element('p', { 'data-testid': 'migration-runner' });
  #phases = element('ol', { 'class': 'phases', 'aria-label': 'Phases' });
  #waits = element('p', { 'class': 'waits', 'data-testid': 'migration-waits' });
  #reason = element('span', { role: 'status' });
  #waitsSince = element('span');
  #present = element('div', { class: 'present' });
  #presentTitle = element('p', { class: 'present-title' });
  #bar = element('progress', { 'max': '1', 'aria-label': 'Rows done' });
  #rows = element('p', { 'class': 'present-rows', 'data-testid': 'migration-rows' });
  #actions = new Actions('div', 'migration-acts', () => this.#title.focus());
  #facts = element('ul', { class: 'migration-facts' });
  #steps = element('ol', { 'class': 'timeline', 'aria-label': 'Steps' });
  #phaseList = new KeyedChildren(
    this.#phases,
    ({ phase }) => phase,
    () => phaseItem(),
  );
  #groups = new KeyedChildren(
    this.#steps,
    ({ phase }) => phase,
    (group) => new PhaseGroup(group),
  );
  root = element(
    'section',
    { 'class': 'migration-panel', 'aria-labelledby': 'migration-title' },
    this.#title,
    this.#about,
    this.#phases,
    this.#runner,
    this.#waits,
    this.#present,
    this.#actions.root,
    this.#facts,
    this.#steps,
  );

  /** @param {(migration: Migration, command: Command) => void} onCommand */
  constructor(onCommand) {
    this.#onCommand = onCommand;
    this.#title.tabIndex = -1;
    this.#waits.append(this.#reason, ' ', this.#waitsSince);
    this.#present.append(this.#presentTitle, this.#bar, this.#rows);
  }

  /**
   * @param {Migration} migration
   * @param {string | null} obstacle why the role of the server cannot run it
   */
  show(migration, obstacle) {
    setText(this.#title, titleOf(migration));
    this.#showAbout(migration);
    this.#phaseList.show(phaseStates(migration));
    setText(this.#runner, runnerText(migration));
    this.#runner.hidden = this.#runner.textContent === '';
    this.#showWait(migration);
    this.#showPresent(migration);
    this.#showActions(migration, obstacle);
    this.#facts.replaceChildren(...factsOf(migration));
    const present = presentStep(migration)?.phase ?? null;
    this.#groups.show(byPhase(migration.steps).map((group) => ({ ...group, present })));
  }

  /** @param {Migration} migration */
  #showAbout({ fingerprint, started, ended, tables }) {
    const key = [fingerprint, started, ended].join();
    if (this.#about.dataset.key !== key) {
      this.#about.dataset.key = key;
      this.#about.replaceChildren(
        `Plan ${fingerprint} for ${tables.join(', ') || 'an index'}, started `,
        timeElement(started, { fraction: false }),
        ...(ended ? [', ended ', timeElement(ended, { fraction: false })] : []),
      );
    }
  }

  /** @param {Migration} migration */
  #showWait({ waits, runner }) {
    const isWaiting = waits !== null && runner !== null;
    this.#waits.hidden = !isWaiting;
    setText(this.#reason, isWaiting ? `It waits: ${waits.reason}.` : '');
    if (isWaiting && this.#waitsSince.dataset.since !== waits.since) {
      this.#waitsSince.dataset.since = waits.since;
      this.#waitsSince.replaceChildren('Since ', timeElement(waits.since, { fraction: false }));
    }
  }

  /** @param {Migration} migration */
  #showPresent(migration) {
    const step = presentStep(migration);
    this.#present.hidden = step === null;
    if (step === null) {
      return;
    }
    const of = `Step ${step.ordinal} of ${migration.steps.length}`;
    const undo = migration.state === 'rolling-back' ? 'undo: ' : '';
    setText(this.#presentTitle, `${of}: ${undo}${step.title}`);
    const text = undo ? '' : progressText(step);
    setText(this.#rows, text);
    this.#bar.hidden = text === '' || step.rows_estimated === 0;
    this.#bar.value = Math.min(1, step.rows_done / Math.max(1, step.rows_estimated));
  }

  /**
   * @param {Migration} migration
   * @param {string | null} obstacle
   */
  #showActions(migration, obstacle) {
    const commands = commandsOf(migration);
    const shown = obstacle && commands.length > 0 ? [] : commands;
    const key = [migration.migration, shown.join(), obstacle ?? ''].join('|');
    this.#actions.show(key, () => {
      const buttons = shown.map((command) => {
        const [name, className] = BUTTONS[command];
        return changeButton(
          `migration-${command}`,
          name,
          () => this.#onCommand(migration, command),
          className,
        );
      });
      const why =
        obstacle && commands.length > 0
          ? [
              element(
                'p',
                { 'class': 'notice', 'data-testid': 'migration-obstacle' },
                `Not from here: ${obstacle}.`,
              ),
            ]
          : [];
      return { content: [...buttons, ...why], next: buttons[0] };
    });
  }
}

/** @param {Migration} migration */
function titleOf({ migration, state, paused }) {
  return `Migration ${migration}: ${state}${paused ? ', paused' : ''}`;
}

/** @param {Migration} migration */
function factsOf({ limits, schemas_aside: aside }) {
  return [
    ...limits.map((limit) =>
      element(
        'li',
        { 'class': limit.near_end ? 'is-near' : '', 'data-testid': 'migration-limit' },
        marginText(limit),
      ),
    ),
    ...aside.map((schema) =>
      element(
        'li',
        {},
        'Old code runs unchanged. New code finds the tables in schema ',
        element('code', {}, schema),
        '.',
      ),
    ),
  ];
}

function phaseItem() {
  const name = element('span', { class: 'phase-name' });
  const state = element('span', { class: 'hint' });
  const root = element('li', {}, name, ' ', state);
  return {
    root,
    /** @param {{phase: Phase, state: PhaseState}} shown */
    show(shown) {
      root.dataset.state = shown.state;
      if (shown.state === 'present') {
        root.setAttribute('aria-current', 'step');
      } else {
        root.removeAttribute('aria-current');
      }
      setText(name, shown.phase);
      setText(state, PHASE_STATES[shown.state]);
    },
  };
}

/** @typedef {{phase: Phase, about: string, steps: Step[], present: Phase | null}} Group */

/** The steps of a phase. The phase that is in progress is open when it begins. */
class PhaseGroup {
  #done = element('span', { class: 'hint' });
  #list = element('ol', { class: 'work-steps' });
  #rows = new KeyedChildren(
    this.#list,
    ({ ordinal }) => String(ordinal),
    (step) => stepRow(step),
  );
  #details;
  #isPresent = false;

  /** @param {Group} group */
  constructor({ phase, steps }) {
    this.#list.start = steps[0].ordinal;
    this.#details = element(
      'details',
      {},
      element('summary', {}, element('span', { class: 'phase-name' }, phase), this.#done),
      this.#list,
    );
    this.root = element('li', { 'class': 'phase', 'data-phase': phase }, this.#details);
  }

  /** @param {Group} group */
  show({ phase, about, steps, present }) {
    const done = steps.filter(({ state }) => state === 'done').length;
    const undone = steps.filter(({ state }) => state === 'undone').length;
    const counts = undone > 0 ? `${undone} undone` : `${done} of ${steps.length} done`;
    setText(this.#done, `${counts}. ${about}`);
    this.#rows.show(steps);
    if (phase === present && !this.#isPresent) {
      this.#details.open = true;
    }
    this.#isPresent = phase === present;
  }
}

/** @param {Step} step */
function stepRow({ title, locks }) {
  const state = element('span', { class: 'step-state' });
  const rows = element('p', { class: 'hint' });
  const root = element(
    'li',
    { 'class': 'work-step', 'data-testid': 'step' },
    element(
      'div',
      { class: 'step-line' },
      element('p', { class: 'step-title' }, state, ' ', title),
      element('div', {}, ...locks.map(lockElement)),
      rows,
    ),
  );
  return {
    root,
    /** @param {Step} step */
    show(step) {
      root.dataset.state = step.state;
      setText(state, step.state);
      const text = progressText(step);
      setText(rows, text);
    },
  };
}
