import { readAddress, writeAllOfAddress } from '../common/address.js';
import { copyable } from '../common/copy.js';
import { button, byId, changeButton, element, setText, textInput } from '../common/dom.js';
import { isOutage } from '../common/http.js';
import { poll } from '../common/poll.js';
import { timeElement } from '../common/time.js';
import { readDoctor, runDoctor } from './api.js';
import { findingElement } from './finding.js';
import { SEVERITIES, countBySeverity, filtered, summaryOf } from './findings.js';

/**
 * @import {ConnectionBanner} from '../connection-banner.js'
 * @import {DoctorState, Report, Severity} from './api.js'
 * @import {View} from '../views.js'
 */

const EVERY_MILLIS = 1_000;
/** Without a run in progress the report changes only if another page starts one. */
const IDLE_MILLIS = 5_000;
/** More findings are shown on demand: a schema can have thousands. */
const SHOWN_MAX = 100;

/** Shows the last report of the doctor, and starts the next run. */
export class Doctor {
  #connection;
  #head = byId('doctor-head');
  #message = byId('doctor-message');
  #filter = element('div', { 'class': 'doctor-filter', 'role': 'group', 'aria-label': 'Filter' });
  #list = element('ul', { 'class': 'findings', 'aria-label': 'Findings' });
  #more = element('div');
  #unseen = element('div', { class: 'unseen' });
  #text = textInput('doctor-table', 'public.orders');
  /** @type {Set<Severity>} */
  #severities = new Set(SEVERITIES);
  /** @type {DoctorState | null} */
  #state = null;
  #shown = '';
  #loadedAt = -Infinity;
  #polling;

  /** @param {ConnectionBanner} connection */
  constructor(connection) {
    this.#connection = connection;
    byId('doctor-report').append(this.#filter, this.#list, this.#more, this.#unseen);
    this.#text.addEventListener('input', () => this.#onFilter());
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
        this.#followAddress();
        this.#polling.resume();
      },
      leave: () => this.#polling.pause(),
    };
  }

  #followAddress() {
    const named = readAddress('severity')?.split(' ') ?? [];
    const chosen = SEVERITIES.filter((severity) => named.includes(severity));
    this.#severities = new Set(chosen.length ? chosen : SEVERITIES);
    const table = readAddress('table') ?? '';
    if (this.#text.value !== table) {
      this.#text.value = table;
    }
    this.#showReport(SHOWN_MAX);
  }

  #onFilter() {
    const isAll = this.#severities.size === SEVERITIES.length;
    writeAllOfAddress(
      {
        severity: isAll ? [] : [[...this.#severities].join(' ')],
        table: [this.#text.value.trim()],
      },
      { replace: true },
    );
    this.#showReport(SHOWN_MAX);
  }

  #reload() {
    this.#loadedAt = -Infinity;
    this.#polling.now();
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    const wait = this.#state?.running_since ? 0 : IDLE_MILLIS;
    if (performance.now() - this.#loadedAt < wait) {
      return;
    }
    const state = await readDoctor(signal);
    signal.throwIfAborted();
    this.#loadedAt = performance.now();
    this.#show(state);
  }

  /**
   * @param {Error} error
   * @param {number} waitMillis
   */
  #onError(error, waitMillis) {
    this.#loadedAt = -Infinity;
    if (isOutage(error)) {
      this.#connection.lost(error, waitMillis);
    } else {
      this.#connection.answered();
      this.#showMessage(error.message, true);
    }
  }

  async #run() {
    try {
      this.#show(await runDoctor());
    } catch (error) {
      this.#showMessage(/** @type {Error} */ (error).message, true);
    }
  }

  /** @param {DoctorState} state */
  #show(state) {
    this.#state = state;
    const key = JSON.stringify([state.running_since, state.examined_at, state.failure]);
    if (key === this.#shown) {
      return;
    }
    this.#shown = key;
    this.#showHead(state);
    if (state.failure) {
      this.#showMessage(`The last run failed: ${state.failure}`, true);
    } else if (state.report) {
      this.#showMessage(summaryOf(state.report), false);
    } else {
      this.#showMessage(
        state.running_since ? '' : 'This database was not examined since the server started.',
        false,
      );
    }
    this.#showReport(SHOWN_MAX);
  }

  /** @param {DoctorState} state */
  #showHead(state) {
    const isRunning = state.running_since !== null;
    const hadFocus = this.#head.contains(document.activeElement);
    const run = changeButton(
      'doctor-run',
      state.examined_at ? 'Examine again' : 'Examine the database',
      () => this.#run(),
      'primary',
    );
    const running = element(
      'p',
      { 'class': 'running', 'data-testid': 'doctor-running', 'tabindex': '-1' },
      'Examining the database, since ',
      timeElement(state.running_since ?? '', { fraction: false }),
    );
    this.#head.replaceChildren(
      element(
        'p',
        { class: 'hint' },
        'Reads the system catalog and samples of keys in one read-only transaction. No statement runs longer than 10 s or waits longer than 100 ms for a lock.',
      ),
      isRunning ? running : run,
      ...(state.examined_at
        ? [
            element(
              'p',
              { 'class': 'hint', 'data-testid': 'doctor-as-of' },
              'As of ',
              timeElement(state.examined_at, { fraction: false }),
              state.role ? `, with the rights of the role ${state.role}` : '',
              state.catalog ? `; mints are compared with ${state.catalog}` : '',
              '.',
            ),
          ]
        : []),
    );
    if (hadFocus) {
      (isRunning ? running : run).focus();
    }
  }

  /**
   * @param {string} text
   * @param {boolean} isError
   */
  #showMessage(text, isError) {
    this.#message.className = `notice${isError ? ' is-error' : ''}`;
    this.#message.hidden = text === '';
    setText(this.#message, text);
  }

  /** @param {number} max how many findings to show */
  #showReport(max) {
    const report = this.#state?.report;
    byId('doctor-report').hidden = !report;
    if (!report) {
      return;
    }
    this.#showFilter(report);
    const found = filtered(report.findings, this.#severities, this.#text.value);
    this.#list.replaceChildren(...found.slice(0, max).map(findingElement));
    const hidden = report.findings.length - found.length;
    this.#more.replaceChildren(
      ...(found.length > max
        ? [
            button('doctor-more', `Show all ${found.length} findings`, () => {
              this.#showReport(found.length);
              this.#list.children[max]?.scrollIntoView();
            }),
          ]
        : []),
      ...(found.length === 0 && hidden > 0
        ? [element('p', { class: 'notice' }, `The filter hides all ${hidden} findings.`)]
        : []),
    );
    this.#unseen.replaceChildren(...unseenElements(report));
  }

  /** @param {Report} report */
  #showFilter(report) {
    const counts = countBySeverity(report.findings);
    if (this.#filter.childElementCount === 0) {
      this.#filter.append(
        ...SEVERITIES.map((severity) =>
          button(`severity-${severity}`, '', () => this.#toggle(severity), 'quiet'),
        ),
        element('label', { for: 'doctor-table' }, 'Table or check'),
        this.#text,
      );
    }
    SEVERITIES.forEach((severity, at) => {
      const toggle = this.#filter.children[at];
      toggle.textContent = `${severity} ${counts[severity]}`;
      toggle.setAttribute('aria-pressed', String(this.#severities.has(severity)));
    });
    this.#filter.hidden = report.findings.length === 0;
  }

  /** @param {Severity} severity */
  #toggle(severity) {
    const next = new Set(this.#severities);
    if (!next.delete(severity)) {
      next.add(severity);
    }
    this.#severities = next.size ? next : new Set(SEVERITIES);
    this.#onFilter();
  }
}

/** @param {Report} report */
function unseenElements({ unseen_tables: tables, not_looked_at: others }) {
  if (tables.length + others.length === 0) {
    return [];
  }
  return [
    element('h2', { class: 'unseen-title' }, 'Not looked at'),
    element(
      'p',
      { class: 'hint' },
      'Something may be wrong there. After a grant, examine the database again; grant pg_read_all_data is enough for all tables without row security.',
    ),
    element(
      'ul',
      { class: 'unseen-list' },
      ...tables.map(({ table, reason, remedy }) =>
        element(
          'li',
          { 'data-testid': 'unseen' },
          element('p', {}, element('span', { class: 'mono' }, table), ` because ${reason}`),
          ...(remedy ? [copyable('unseen-sql', `${remedy};`, `the grant for ${table}`)] : []),
        ),
      ),
      ...others.map(({ object, reason }) =>
        element('li', { 'data-testid': 'unseen' }, `${object} because ${reason}`),
      ),
    ),
  ];
}
