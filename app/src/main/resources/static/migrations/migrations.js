import { readAddress } from '../common/address.js';
import { byId, element, setText } from '../common/dom.js';
import { isOutage } from '../common/http.js';
import { poll } from '../common/poll.js';
import { timeElement } from '../common/time.js';
import { command, listMigrations, makePlan, readMigration, readPlan } from './api.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { MigrationView } from './migration-view.js';
import { isOver } from './phases.js';
import { PlanView } from './plan-view.js';

/**
 * @import {ConnectionBanner} from '../connection-banner.js'
 * @import {Command, Invalid, Migration, MigrationList, PlanState, Summary} from './api.js'
 * @import {View} from '../views.js'
 */

const EVERY_MILLIS = 1_000;
/** While nothing runs. */
const IDLE_MILLIS = 3_000;

/** Shows the active migration, or the one in the address, the plan for the catalog, and all. */
export class Migrations {
  #connection;
  #message = byId('migrations-message');
  #box = byId('migration');
  #dialog = new ConfirmDialog((migration, name, table) => this.#send(migration, name, table));
  #view = new MigrationView((migration, name) => this.#onCommand(migration, name));
  #plan = new PlanView((invalid) => this.#makePlan(invalid));
  #list = byId('migration-list');
  #listed = '';
  #isBusy = true;
  /** @type {PlanState | null} */
  #planState = null;
  #loadedAt = -Infinity;
  /** What a command answered, until the next one. */
  #said = '';
  #polling;

  /** @param {ConnectionBanner} connection */
  constructor(connection) {
    this.#connection = connection;
    this.#box.append(this.#view.root);
    byId('migration-plan').append(this.#plan.root);
    byId('migrations').append(this.#dialog.root);
    this.#polling = poll((signal) => this.#load(signal), {
      everyMillis: EVERY_MILLIS,
      onAnswer: () => connection.answered(),
      onError: (error, waitMillis) => this.#onError(error, waitMillis),
    });
    connection.onRetry(() => this.#reload());
  }

  /** @returns {View} */
  start() {
    return {
      follow: () => {
        this.#planState = null;
        this.#polling.resume();
        this.#reload();
      },
      leave: () => this.#polling.pause(),
    };
  }

  #reload() {
    this.#loadedAt = -Infinity;
    this.#polling.now();
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    if (performance.now() - this.#loadedAt < (this.#isBusy ? 0 : IDLE_MILLIS)) {
      return;
    }
    const list = await listMigrations(signal);
    const active = list.migrations.find(({ state }) => !isOver(state));
    const number = Number(readAddress('migration') ?? active?.migration ?? 0);
    const known = this.#planState?.running_since === null ? this.#planState : null;
    const [migration, plan] = await Promise.all([
      number > 0 ? readMigration(number, signal) : null,
      // A plan has all of its SQL, so it is not loaded again while nobody makes another.
      known ?? readPlan(signal),
    ]);
    signal.throwIfAborted();
    this.#loadedAt = performance.now();
    this.#planState = plan;
    this.#isBusy =
      plan.running_since !== null || Boolean(migration?.runner) || isServerRunning(list);
    this.#show(list, migration, plan);
  }

  /**
   * @param {MigrationList} list
   * @param {Migration | null} migration
   * @param {PlanState} plan
   */
  #show(list, migration, plan) {
    this.#box.hidden = migration === null;
    if (migration) {
      this.#view.show(migration, list.obstacle);
    }
    this.#plan.show(
      plan,
      list.migrations.some(({ state }) => !isOver(state)),
    );
    this.#showList(list.migrations);
    this.#showMessage(list);
  }

  /** @param {MigrationList} list */
  #showMessage({ migrations, run }) {
    const failed = run?.failure
      ? `The last ${run.command} in this server failed: ${run.failure}`
      : '';
    const none = migrations.length === 0 ? 'No migration was started in this database.' : '';
    this.#say(this.#said || failed || none, Boolean(this.#said || failed));
  }

  /**
   * @param {string} text
   * @param {boolean} isError
   */
  #say(text, isError) {
    this.#message.className = `notice${isError ? ' is-error' : ''}`;
    this.#message.hidden = text === '';
    setText(this.#message, text);
  }

  /** @param {Summary[]} migrations */
  #showList(migrations) {
    const key = JSON.stringify(migrations);
    if (key === this.#listed) {
      return;
    }
    this.#listed = key;
    this.#list.replaceChildren(...(migrations.length > 0 ? listElements(migrations) : []));
  }

  /**
   * @param {Error} error
   * @param {number} waitMillis
   */
  #onError(error, waitMillis) {
    this.#loadedAt = -Infinity;
    this.#planState = null;
    if (isOutage(error)) {
      this.#connection.lost(error, waitMillis);
    } else {
      this.#connection.answered();
      this.#box.hidden = true;
      this.#say(error.message, true);
    }
  }

  /** @param {Invalid} invalid */
  async #makePlan(invalid) {
    await this.#try(async () => {
      this.#planState = await makePlan(invalid);
    });
  }

  /**
   * @param {Migration} migration
   * @param {Command} name
   */
  #onCommand(migration, name) {
    if (name === 'rollback' || name === 'contract') {
      this.#dialog.open(migration, name);
    } else {
      this.#try(() => command(migration.migration, name));
    }
  }

  /**
   * @param {number} migration
   * @param {Command} name
   * @param {string} table
   */
  async #send(migration, name, table) {
    this.#said = '';
    await command(migration, name, table);
    this.#reload();
  }

  /** @param {() => Promise<unknown>} act */
  async #try(act) {
    this.#said = '';
    try {
      await act();
    } catch (error) {
      this.#said = /** @type {Error} */ (error).message;
      this.#say(this.#said, true);
    }
    this.#reload();
  }
}

/** @param {MigrationList} list */
function isServerRunning({ run }) {
  return run !== null && run.ended === null;
}

/** @param {Summary[]} migrations */
function listElements(migrations) {
  return [
    element('h2', { id: 'migration-list-title' }, 'All migrations'),
    element(
      'ul',
      { 'class': 'migration-rows', 'aria-labelledby': 'migration-list-title' },
      ...migrations.map((one) =>
        element(
          'li',
          { 'data-testid': 'migration-row' },
          element(
            'a',
            { href: `#view=migrations&migration=${one.migration}` },
            `Migration ${one.migration}`,
          ),
          element('span', { class: 'state' }, `${one.state}${one.paused ? ', paused' : ''}`),
          element('span', { class: 'mono' }, one.tables.join(', ')),
          element('span', { class: 'hint' }, `${one.steps_done} of ${one.steps} steps`),
          element(
            'span',
            { class: 'hint' },
            one.ended ? 'ended ' : 'started ',
            timeElement(one.ended ?? one.started, { fraction: false }),
          ),
        ),
      ),
    ),
  ];
}
