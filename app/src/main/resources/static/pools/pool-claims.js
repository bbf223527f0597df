import { Actions, onEscape } from '../common/actions.js';
import { button, changeButton, element, KeyedChildren, setText } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { ClaimFinder, describeSearch } from './claim-finder.js';
import { noteText } from './claim-note.js';
import { valueLink } from './pool-address.js';

/**
 * @import {Claim} from './api.js'
 * @import {Search} from './claim-finder.js'
 * @import {ClaimsState} from './claims-state.js'
 */

const TO_THE_SECOND = { fraction: false };
const COLUMNS = ['value', 'client', 'owner', 'labels', 'since', 'until', 'token'];

/**
 * @typedef {object} Listeners
 * @property {(search: Search) => void} onFind
 * @property {(by: number) => void} onTurn
 * @property {(claim: Claim) => void} onRenew
 * @property {(claim: Claim) => void} onEditNote
 * @property {(claim: Claim, isConfirming: boolean) => void} onAskRelease
 * @property {(claim: Claim) => void} onRelease
 */

/** The claims of a pool, page by page. Each can be renewed and released. */
export class ClaimTable {
  #finder;
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
    this.#finder = new ClaimFinder('claims-find', () => listeners.onFind(this.#finder.search));
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
  #headElement({ onFind }) {
    return element(
      'form',
      {
        'class': 'panel-head',
        'novalidate': true,
        'aria-label': 'Find claims',
        'onsubmit': (event) => {
          event.preventDefault();
          onFind(this.#finder.search);
        },
      },
      element('h2', { id: 'claims-title', class: 'panel-title' }, 'Claims'),
      element(
        'div',
        { class: 'claims-find' },
        ...this.#finder.inputs,
        element('button', { type: 'submit', class: 'quiet' }, 'Find'),
      ),
      this.#turn,
    );
  }

  /** Empties the search, for another pool. */
  reset() {
    this.#finder.reset();
  }

  /** @param {ClaimsState} claims */
  show({ search, starts, shown, next, confirming, message }) {
    const isEmpty = shown?.length === 0;
    const isFirst = starts.length === 1;
    this.#previous.disabled = isFirst;
    this.#next.disabled = next === null;
    this.#turn.hidden = isFirst && next === null;
    this.#table.hidden = isEmpty;
    this.#empty.hidden = !isEmpty;
    setText(this.#empty, `No claim${describeSearch(search)} is held.`);
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
  #note = element('td', { 'class': 'claim-note', 'data-label': 'labels' });
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
      element('th', { scope: 'row' }, valueLink(claim.pool, value)),
      element(
        'td',
        { 'class': 'mono', 'data-label': 'client' },
        client,
        slot ? element('span', { class: 'hint' }, ` slot ${slot}`) : null,
      ),
      element('td', { 'class': 'mono', 'data-label': 'owner' }, owner ?? '—'),
      this.#note,
      element('td', { 'data-label': 'since' }, timeElement(claim.claimed_at, TO_THE_SECOND)),
      this.#until,
      element('td', { 'class': 'mono', 'data-label': 'token' }, token),
      onEscape(this.#actions.root, () => listeners.onAskRelease(claim, false)),
    );
  }

  /** @param {{claim: Claim, isConfirming: boolean}} item */
  show({ claim, isConfirming }) {
    const { expires_at: expiresAt } = claim;
    setText(this.#note, noteText(claim.note) || '—');
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
    const { onRenew, onEditNote, onAskRelease } = this.#listeners;
    const hasLease = claim.expires_at !== null;
    const key = JSON.stringify([hasLease, claim.note]);
    this.#actions.show(key, () => {
      const edit = changeButton('claim-note', 'Labels…', () => onEditNote(claim));
      const renew = changeButton('claim-renew', 'Renew', () => onRenew(claim));
      const release = changeButton('claim-release', 'Release…', () => onAskRelease(claim, true));
      return { content: hasLease ? [edit, renew, release] : [edit, release], next: release };
    });
  }

  /** @param {Claim} claim */
  #showConfirmation(claim) {
    const { onAskRelease, onRelease } = this.#listeners;
    this.#actions.show('confirm', () => {
      const yes = changeButton(
        'claim-release-confirm',
        'Release it',
        () => onRelease(claim),
        'danger',
      );
      const no = button('claim-release-cancel', 'Keep it', () => onAskRelease(claim, false));
      return { content: [yes, no], next: yes, takesFocus: true };
    });
  }
}
