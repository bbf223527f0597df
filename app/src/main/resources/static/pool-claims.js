import { ask } from './api.js';
import { element, setText } from './dom.js';
import { timeElement } from './time.js';

const PAGE = 50;
const TO_THE_SECOND = { fraction: false };

/**
 * The claims of a pool, page by page, each to be renewed or released under the token that is shown.
 * Rows stay the same elements as long as their claim does, so that the focus does.
 */
export class ClaimTable {
  #pool = '';
  /** @type {string[]} behind which value each page up to this one begins */
  #starts = [''];
  /** @type {string | null} */
  #next = null;
  #rows = new Map();
  #asking = new AbortController();
  /** Whether what is said is why the page could not be had. */
  #pageFailed = false;

  /** @param {{onChanged: () => void, onValue: (value: string) => void}} listeners */
  constructor({ onChanged, onValue }) {
    this.onChanged = onChanged;
    this.onValue = onValue;
    this.filter = /** @type {HTMLInputElement} */ (
      element('input', {
        'id': 'claims-client',
        'data-testid': 'claims-client',
        'type': 'text',
        'class': 'mono',
        'autocomplete': 'off',
        'autocapitalize': 'off',
        'spellcheck': 'false',
        'placeholder': 'any client',
      })
    );
    this.previous = pageButton('claims-previous', '‹ Previous', () => {
      this.#say('');
      this.#turn(-1);
    });
    this.next = pageButton('claims-next', 'Next ›', () => {
      this.#say('');
      this.#turn(1);
    });
    this.lines = element('tbody');
    this.table = element(
      'table',
      { 'class': 'claims', 'data-testid': 'claims' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['value', 'client', 'owner', 'since', 'until', 'token', ''].map((name) =>
            element('th', { scope: 'col' }, name || element('span', { class: 'visually-hidden' }, 'what can be done')),
          ),
        ),
      ),
      this.lines,
    );
    this.empty = element('p', { class: 'hint', hidden: true }, 'Nothing is held.');
    this.said = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'claims-said' });
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'claims-title' },
      element(
        'form',
        {
          'class': 'panel-head',
          'novalidate': true,
          'aria-label': 'Find claims',
          'onsubmit': (event) => {
            event.preventDefault();
            this.#say('');
            this.#starts = [''];
            this.refresh();
          },
        },
        element('h3', { id: 'claims-title', class: 'panel-title' }, 'Claims'),
        element(
          'div',
          { class: 'claims-find' },
          element('label', { for: 'claims-client' }, 'Client'),
          this.filter,
          element('button', { type: 'submit', class: 'quiet' }, 'Find'),
        ),
        element('div', { class: 'pager-turn' }, this.previous, this.next),
      ),
      this.table,
      this.empty,
      this.said,
    );
  }

  /** @param {string} pool */
  aim(pool) {
    if (pool !== this.#pool) {
      this.#pool = pool;
      this.#starts = [''];
      this.filter.value = '';
      this.#rows.clear();
      this.lines.replaceChildren();
      this.#say('');
    }
  }

  /** Asks for the page that is shown once more. */
  async refresh() {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const client = this.filter.value.trim();
    const after = this.#starts[this.#starts.length - 1];
    try {
      const { body } = await ask(
        ['pools', this.#pool, 'claims'],
        { limit: PAGE, ...(client ? { client } : {}), ...(after ? { after } : {}) },
        { signal },
      );
      if (!signal.aborted) {
        if (this.#pageFailed) {
          this.#say('');
        }
        this.#show(body);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#say(/** @type {Error} */ (error).message);
        this.#pageFailed = true;
      }
    }
  }

  #say(text) {
    this.#pageFailed = false;
    setText(this.said, text);
  }

  #turn(by) {
    if (by < 0) {
      this.#starts.pop();
    } else if (this.#next !== null) {
      this.#starts.push(this.#next);
    }
    this.refresh();
  }

  #show({ claims, next }) {
    if (claims.length === 0 && this.#starts.length > 1) {
      this.#turn(-1);
      return;
    }
    this.#next = next;
    this.previous.disabled = this.#starts.length === 1;
    this.next.disabled = next === null;
    this.previous.hidden = this.next.hidden = this.#starts.length === 1 && next === null;
    this.table.hidden = claims.length === 0;
    this.empty.hidden = claims.length > 0;
    const tokens = new Set(claims.map(({ token }) => token));
    for (const [token, row] of this.#rows) {
      if (!tokens.has(token)) {
        row.root.remove();
        this.#rows.delete(token);
      }
    }
    claims.forEach((claim, at) => {
      if (!this.#rows.has(claim.token)) {
        this.#rows.set(claim.token, this.#rowElements(claim));
      }
      const row = this.#rows.get(claim.token);
      if (this.lines.children[at] !== row.root) {
        this.lines.insertBefore(row.root, this.lines.children[at] ?? null);
      }
      row.show(claim);
    });
  }

  #rowElements(claim) {
    const until = element('td', { 'data-label': 'until' });
    const actions = element('td', { class: 'claim-actions' });
    let shownUntil = /** @type {string | null | undefined} */ (undefined);
    const button = (testId, name, onclick, look = 'quiet') =>
      element('button', { 'type': 'button', 'class': look, 'data-testid': testId, onclick }, name);
    const offer = ({ focus = false } = {}) => {
      const release = button('claim-release', 'Release…', () => confirm());
      actions.replaceChildren(
        ...(claim.expires_at
          ? [button('claim-renew', 'Renew', () => this.#renew(claim))]
          : []),
        release,
      );
      if (focus) {
        release.focus();
      }
    };
    const confirm = () => {
      const yes = button('claim-release-confirm', 'Release it', () => this.#release(claim), 'danger');
      actions.replaceChildren(yes, button('claim-release-cancel', 'Keep it', () => offer({ focus: true })));
      yes.focus();
    };
    actions.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && actions.querySelector('.danger')) {
        offer({ focus: true });
      }
    });
    offer();
    const value = element(
      'button',
      { 'type': 'button', 'class': 'link mono', 'onclick': () => this.onValue(claim.value) },
      claim.value,
    );
    return {
      root: element(
        'tr',
        { 'data-testid': 'claim', 'data-value': claim.value },
        element('th', { scope: 'row' }, value),
        element(
          'td',
          { 'class': 'mono', 'data-label': 'client' },
          claim.client,
          claim.slot ? element('span', { class: 'hint' }, ` slot ${claim.slot}`) : null,
        ),
        element('td', { 'class': 'mono', 'data-label': 'owner' }, claim.owner ?? '—'),
        element('td', { 'data-label': 'since' }, timeElement(claim.claimed_at, TO_THE_SECOND)),
        until,
        element('td', { 'class': 'mono', 'data-label': 'token' }, claim.token),
        actions,
      ),
      show(now) {
        if (now.expires_at !== shownUntil) {
          shownUntil = now.expires_at;
          until.replaceChildren(
            now.expires_at ? timeElement(now.expires_at, TO_THE_SECOND) : 'no lease',
          );
        }
      },
    };
  }

  #renew(claim) {
    return this.#change(claim, 'POST', ['renewal'], `${claim.value} was renewed.`);
  }

  #release(claim) {
    return this.#change(claim, 'DELETE', [], `${claim.value} was released.`);
  }

  async #change(claim, method, more, done) {
    try {
      await ask(
        ['pools', claim.pool, 'claims', claim.value, ...more],
        {},
        { method, headers: { 'if-match': `"${claim.token}"` } },
      );
      this.#say(done);
      this.onChanged();
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
    this.refresh();
  }
}

function pageButton(id, name, onclick) {
  return /** @type {HTMLButtonElement} */ (
    element('button', { 'type': 'button', 'class': 'quiet', 'data-testid': id, onclick }, name)
  );
}
