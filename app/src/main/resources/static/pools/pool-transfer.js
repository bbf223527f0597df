import { button, changeButton, element, setText } from '../common/dom.js';
import { importClaims } from './changes-api.js';
import { amount, reportText } from './import-report.js';

/** @import {ImportReport} from './changes-api.js' */

/** The server takes 2 MiB of JSON, in which some characters need two. */
const FILE_BYTES_MAX = 1_900_000;
const REJECTIONS_SHOWN_MAX = 100;

/** Exports the claims of a pool, and imports values that are in use, after a plan was shown. */
export class PoolTransfer {
  #pool = '';
  #content = '';
  #onChange;
  #export = element('a', { 'class': 'link', 'data-testid': 'export', 'download': '' }, 'Download');
  #file = element('input', {
    'id': 'import-file',
    'data-testid': 'import-file',
    'type': 'file',
    'accept': '.csv,.txt,text/csv,text/plain',
  });
  #plan = button('import-plan', 'Show the plan', () => this.#showPlan());
  #apply = changeButton('import-apply', '', () => this.#import(), 'primary');
  #result = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'import-said' });
  #lines = element('tbody');
  #rejections = element(
    'table',
    { 'class': 'claims', 'data-testid': 'import-rejections', 'hidden': true },
    element('caption', { class: 'visually-hidden' }, 'Rejected lines'),
    element(
      'thead',
      {},
      element('tr', {}, ...['line', 'value', 'reason'].map((name) => heading(name))),
    ),
    this.#lines,
  );

  /** @param {() => void} onChange called after an import, to load the pool again */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#apply.hidden = true;
    this.#file.addEventListener('change', () => this.#clear());
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'transfer-title' },
      element('h2', { id: 'transfer-title', class: 'panel-title' }, 'Import and export'),
      element('p', {}, this.#export, ' all claims as CSV.'),
      element(
        'div',
        { class: 'import-form' },
        element(
          'div',
          { class: 'field' },
          element('label', { for: 'import-file' }, 'A file with values that are in use'),
          this.#file,
          element(
            'p',
            { class: 'hint' },
            'CSV with the columns value and client, IP addresses exported by NetBox, or a lease file of Kea.',
          ),
        ),
        this.#plan,
        this.#apply,
      ),
      this.#result,
      this.#rejections,
    );
  }

  /** @param {string} pool */
  show(pool) {
    if (pool !== this.#pool) {
      this.#pool = pool;
      this.#file.value = '';
      this.#export.href = `/v1/pools/${encodeURIComponent(pool)}/export`;
      this.#clear();
    }
  }

  #clear() {
    this.#content = '';
    this.#apply.hidden = true;
    this.#rejections.hidden = true;
    this.#say('', '');
  }

  async #showPlan() {
    const file = this.#file.files?.[0];
    this.#clear();
    if (!file) {
      this.#say('Choose a file.', 'refused');
      return;
    }
    if (file.size > FILE_BYTES_MAX) {
      this.#say('The file is too large for the console: use mintmark pool import.', 'refused');
      return;
    }
    await this.#ask(await file.text(), false);
  }

  async #import() {
    await this.#ask(this.#content, true);
    this.#onChange();
  }

  /**
   * @param {string} content
   * @param {boolean} apply
   */
  async #ask(content, apply) {
    const pool = this.#pool;
    this.#say(apply ? 'Importing…' : 'Reading the file…', '');
    try {
      const report = await importClaims(pool, content, apply);
      if (pool === this.#pool) {
        this.#content = content;
        this.#showReport(report);
      }
    } catch (error) {
      if (pool === this.#pool) {
        this.#say(/** @type {Error} */ (error).message, 'refused');
      }
    }
  }

  /** @param {ImportReport} report */
  #showReport(report) {
    const { done, claimed, rejected, rejections } = report;
    this.#say(reportText(report), done ? 'granted' : '');
    this.#apply.hidden = done || claimed === 0;
    setText(this.#apply, `Claim ${amount(claimed, 'value')}`);
    this.#rejections.hidden = rejected === 0;
    this.#lines.replaceChildren(
      ...rejections
        .slice(0, REJECTIONS_SHOWN_MAX)
        .map(({ line, value, reason }) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, String(line)),
            element('td', { 'class': 'mono', 'data-label': 'value' }, value || '—'),
            element('td', { 'data-label': 'reason' }, reason),
          ),
        ),
    );
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

/** @param {string} name */
function heading(name) {
  return element('th', { scope: 'col' }, name);
}
