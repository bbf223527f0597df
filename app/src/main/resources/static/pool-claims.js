import { Actions, onEscape } from './actions.js';
import { button, element, KeyedChildren, setText, textInput } from './dom.js';
import { timeElement } from './time.js';

/**
 * @import {Claim} from './api.js'
 * @import {ClaimsState} from './claims-state.js'
 */

const TO_THE_SECOND = { fraction: false };
const COLUMNS = ['value', 'client', 'owner', 'since', 'until', 'token'];

/**
 * @typedef {object} Listeners
 * @property {(client: string) => void} onFilter
 * @property {(by: number) => void} onTurn
 * @property {(value: string) => void} onValue
 * @property {(claim: Claim) => void} onRenew
 * @property {(claim: Claim, isConfirming: boolean) => void} onAskRelease
 * @property {(claim: Claim) => void} onRelease
 */

/** The claims of a pool, page by page. Each can be renewed and released. */
export class ClaimTable {
  #filter = textInput('claims-client', 'any client');
  #previous;
  #next;
  #turn;
  #lines = element('tbody');
  #table = element(
    'table',
    { 'class': 'claims', 'data-testid': 'claims' },
    element('thead', {}, headingsElement()),
    this.#lines,
  );
  #empty = element('p', { class: 'hint', hidden: true });
  #message = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'claims-said' });
  #rows;

  /** @param {Listeners} listeners */
  constructor(listeners) {
    this.#previous = button('claims-previous', '‹ Previous', () => listeners.onTurn(-1));
    this.#next = button('claims-next', 'Next ›', () => listeners.onTurn(1));
    this.#turn = element('div', { class: 'pager-turn' }, this.#previous, this.#next);
    /** @type {KeyedChildren<{claim: Claim, isConfirming: boolean}>} */
    this.#rows = new KeyedChildren(
      this.#lines,
      ({ claim }) => claim.token,
      ({ claim }) => new ClaimRow(claim, listeners),
    );
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'claims-title' },
      this.#headElement(listeners),
      this.#table,
      this.#empty,
      this.#message,
    );
  }

  /** @param {Listeners} listeners */
  #headElement({ onFilter }) {
    const filter = () => onFilter(this.#filter.value.trim());
    this.#filter.addEventListener('input', () => {
      if (this.#filter.value === '') {
        filter();
      }
    });
    return element(
      'form',
      {
        'class': 'panel-head',
        'novalidate': true,
        'aria-label': 'Find claims',
        'onsubmit': (event) => {
          event.preventDefault();
          filter();
        },
      },
      element('h3', { id: 'claims-title', class: 'panel-title' }, 'Claims'),
      element(
        'div',
        { class: 'claims-find' },
        element('label', { for: 'claims-client' }, 'Client'),
        this.#filter,
        element('button', { type: 'submit', class: 'quiet' }, 'Find'),
      ),
      this.#turn,
    );
  }

  /** Empties the filter, for another pool. */
  reset() {
    this.#filter.value = '';
  }

  /** @param {ClaimsState} claims */
  show({ client, starts, shown, next, confirming, message }) {
    const isEmpty = shown?.length === 0;
    const isFirst = starts.length === 1;
    this.#previous.disabled = isFirst;
    this.#next.disabled = next === null;
    this.#turn.hidden = isFirst && next === null;
    this.#table.hidden = isEmpty;
    this.#empty.hidden = !isEmpty;
    setText(this.#empty, client ? `Client “${client}” holds no value.` : 'No value is held.');
    setText(this.#message, message);
    this.#rows.show(
      (shown ?? []).map((claim) => ({ claim, isConfirming: claim.token === confirming })),
    );
  }
}

function headingsElement() {
  return element(
    'tr',
    {},
    ...COLUMNS.map((name) => element('th', { scope: 'col' }, name)),
    element('th', { scope: 'col' }, element('span', { class: 'visually-hidden' }, 'actions')),
  );
}

class ClaimRow {
  #listeners;
  #until = element('td', { 'data-label': 'until' });
  #actions = new Actions('td', 'claim-actions');
  /** @type {string | null | undefined} */
  #expiresAt = undefined;

  /**
   * @param {Claim} claim
   * @param {Listeners} listeners
   */
  constructor(claim, listeners) {
    const { value, client, slot, owner, token } = claim;
    this.#listeners = listeners;
    this.root = element(
      'tr',
      { 'data-testid': 'claim', 'data-value': value },
      element('th', { scope: 'row' }, valueButton(value, listeners.onValue)),
      element(
        'td',
        { 'class': 'mono', 'data-label': 'client' },
        client,
        slot ? element('span', { class: 'hint' }, ` slot ${slot}`) : null,
      ),
      element('td', { 'class': 'mono', 'data-label': 'owner' }, owner ?? '—'),
      element('td', { 'data-label': 'since' }, timeElement(claim.claimed_at, TO_THE_SECOND)),
      this.#until,
      element('td', { 'class': 'mono', 'data-label': 'token' }, token),
      onEscape(this.#actions.root, () => listeners.onAskRelease(claim, false)),
    );
  }

  /** @param {{claim: Claim, isConfirming: boolean}} item */
  show({ claim, isConfirming }) {
    const { expires_at: expiresAt } = claim;
    if (expiresAt !== this.#expiresAt) {
      this.#expiresAt = expiresAt;
      this.#until.replaceChildren(expiresAt ? timeElement(expiresAt, TO_THE_SECOND) : 'no lease');
    }
    if (isConfirming) {
      this.#showConfirmation(claim);
    } else {
      this.#showActions(claim);
    }
  }

  /** @param {Claim} claim */
  #showActions(claim) {
    const { onRenew, onAskRelease } = this.#listeners;
    const hasLease = claim.expires_at !== null;
    this.#actions.show(hasLease ? 'renew or release' : 'release', () => {
      const renew = button('claim-renew', 'Renew', () => onRenew(claim));
      const release = button('claim-release', 'Release…', () => onAskRelease(claim, true));
      return { content: hasLease ? [renew, release] : [release], next: release };
    });
  }

  /** @param {Claim} claim */
  #showConfirmation(claim) {
    const { onAskRelease, onRelease } = this.#listeners;
    this.#actions.show('confirm', () => {
      const yes = button('claim-release-confirm', 'Release it', () => onRelease(claim), 'danger');
      const no = button('claim-release-cancel', 'Keep it', () => onAskRelease(claim, false));
      return { content: [yes, no], next: yes, takesFocus: true };
    });
  }
}

/**
 * @param {string} value
 * @param {(value: string) => void} onValue
 */
function valueButton(value, onValue) {
  return element(
    'button',
    { type: 'button', class: 'link mono', onclick: () => onValue(value) },
    value,
  );
}
