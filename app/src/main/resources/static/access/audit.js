import { button, element, setText, textInput } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { PagedList } from '../pools/paged-list.js';
import { listAudit } from './api.js';
import { csvOf } from './csv.js';

/** @import {AuditEntry} from './api.js' */

const ENTRIES_A_PAGE = 50;
const ENTRIES_A_REQUEST = 1000;

/** The most entries of a file: `mintmark audit --csv` exports all. */
const EXPORTED_MAX = 10_000;

/** Who changed what, the latest first; searched, paged and exported. */
export class Audit {
  #inputs = {
    actor: textInput('audit-actor', 'any'),
    action: textInput('audit-action', 'any'),
    target: textInput('audit-target', 'any'),
    request: textInput('audit-request', 'any'),
  };
  #wanted = { actor: '', action: '', target: '', request: '' };
  #said = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'audit-said' });
  /** @type {PagedList<AuditEntry>} */
  #list = new PagedList({
    name: 'audit',
    columns: ['time', 'who', 'from', 'action', 'target', 'outcome'],
    cells: cellsOf,
    load: async (before, signal) => {
      const page = await listAudit(this.#wanted, before, ENTRIES_A_PAGE, signal);
      return { items: page.entries, next: page.next };
    },
    emptyText: () =>
      Object.values(this.#wanted).some(Boolean) ? 'No entry matches.' : 'Nothing was changed yet.',
  });

  constructor() {
    const fields = Object.entries(this.#inputs).flatMap(([name, input]) => [
      element('label', { for: input.id }, name[0].toUpperCase() + name.slice(1)),
      input,
    ]);
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'audit-title' },
      element(
        'form',
        {
          'class': 'panel-head',
          'novalidate': true,
          'aria-label': 'Search the audit',
          'onsubmit': (event) => {
            event.preventDefault();
            this.#find();
          },
        },
        element('h2', { id: 'audit-title', class: 'panel-title' }, 'Audit'),
        element(
          'div',
          { class: 'claims-find audit-find' },
          ...fields,
          element(
            'button',
            { 'type': 'submit', 'class': 'quiet', 'data-testid': 'audit-find' },
            'Find',
          ),
          button('audit-export', 'Export as CSV', () => this.#export()),
        ),
        this.#list.turn,
      ),
      this.#said,
      this.#list.root,
    );
  }

  load() {
    this.#list.refresh();
  }

  #find() {
    const { actor, action, target, request } = this.#inputs;
    this.#wanted = {
      actor: actor.value.trim(),
      action: action.value.trim(),
      target: target.value.trim(),
      request: request.value.trim(),
    };
    this.#list.restart();
  }

  async #export() {
    try {
      /** @type {AuditEntry[]} */
      const all = [];
      /** @type {string | null} */
      let next = '';
      while (next !== null && all.length < EXPORTED_MAX) {
        const page = await listAudit(this.#wanted, next, ENTRIES_A_REQUEST);
        all.push(...page.entries);
        next = page.next;
      }
      save('mintmark-audit.csv', csvOf(all));
      const rest = next === null ? '' : ' There are more: mintmark audit --csv exports all.';
      setText(this.#said, `${all.length} entries were exported.${rest}`);
    } catch (error) {
      setText(this.#said, /** @type {Error} */ (error).message);
    }
  }
}

/** @param {AuditEntry} entry */
function cellsOf({ at, actor, actor_name, source, action, target, detail, outcome, request_id }) {
  return [
    timeElement(at, { fraction: false }),
    actor_name ? `${actor_name} (${actor})` : actor,
    source,
    action,
    element('span', { title: detail || null }, target || '—'),
    element('span', { title: request_id && `request ${request_id}` }, outcome ?? 'not known'),
  ];
}

/**
 * @param {string} name
 * @param {string} text
 */
function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  element('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
