import { Actions, onEscape } from '../common/actions.js';
import { button, changeButton, element, setText } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { noteText } from './claim-note.js';

/**
 * @import {Claim, HistoryEntry, Pool} from './api.js'
 * @import {Details} from './cursor-state.js'
 * @import {ValueState} from './value-states.js'
 */

const TO_THE_SECOND = { fraction: false };

/**
 * What is known of one value: its state at once, and who holds and held it as soon as the server
 * has answered. A free value can be claimed from here, a held one released.
 */
export class CellDetails {
  #listeners;
  #value = element('h2', { class: 'mono details-value' });
  #state = element('p', { class: 'details-state' });
  #facts = element('dl', { class: 'facts' });
  #note = element('p', { class: 'hint details-note' });
  #message = element('p', { class: 'result', role: 'status' });
  #history = element('ol', { 'class': 'history', 'data-testid': 'history' });
  #steps;
  #actions;
  /** @type {Claim | null} */
  #claim = null;
  /** @type {HistoryEntry[]} */
  #past = [];

  /**
   * @param {object} listeners
   * @param {(by: number) => void} listeners.onStep to a neighbour: -1 or 1
   * @param {() => void} listeners.onClose
   * @param {(value: string) => void} listeners.onClaim
   * @param {(isConfirming: boolean) => void} listeners.onAskRelease whether to ask, or to take it back
   * @param {(claim: Claim) => void} listeners.onRelease
   * @param {() => void} listeners.onFocusLost
   */
  constructor(listeners) {
    const { onStep, onClose, onFocusLost } = listeners;
    this.#listeners = listeners;
    this.#actions = new Actions('div', 'details-actions', onFocusLost);
    this.#steps = element(
      'div',
      { class: 'steps' },
      stepButton('‹', 'Previous value', () => onStep(-1)),
      stepButton('›', 'Next value', () => onStep(1)),
      stepButton('×', 'Close the details', onClose, 'details-close'),
    );
    this.root = element(
      'section',
      {
        'class': 'details',
        'data-testid': 'cell-details',
        'aria-label': 'Details of the value',
      },
      element(
        'div',
        { class: 'details-head' },
        element('div', {}, this.#value, this.#state),
        this.#steps,
      ),
      this.#facts,
      this.#note,
      this.#actions.root,
      this.#message,
      this.#history,
    );
  }

  /**
   * @param {Pool | null} pool
   * @param {Details | null} details
   */
  show(pool, details) {
    const isEmpty = !pool || !details;
    this.root.classList.toggle('is-empty', isEmpty);
    this.#steps.hidden = isEmpty;
    if (isEmpty) {
      setText(this.#value, 'No value selected');
      setText(this.#state, '');
      this.#state.removeAttribute('data-state');
      setText(this.#note, 'Point at a cell, tap it, or move through the map with the arrow keys.');
    } else {
      setText(this.#value, details.value);
      setText(this.#state, details.state);
      this.#state.dataset.state = details.state;
      setText(this.#note, noteOn(details.state, pool));
    }
    setText(this.#message, details?.message ?? '');
    this.#showClaim(details?.claim ?? null);
    this.#showHistory(details?.history ?? []);
    this.#showActions(details);
  }

  /** Moves the focus to what can be done with the value, if anything can be done. */
  focusAction() {
    this.#actions.focus();
  }

  /** @param {Claim | null} claim */
  #showClaim(claim) {
    if (claim === this.#claim) {
      return;
    }
    this.#claim = claim;
    this.#facts.replaceChildren(...(claim ? factsOf(claim) : []));
  }

  /** @param {HistoryEntry[]} past */
  #showHistory(past) {
    if (past === this.#past) {
      return;
    }
    this.#past = past;
    this.#history.replaceChildren(...past.map(pastClaimElement));
  }

  /** @param {Details | null} details */
  #showActions(details) {
    const { onClaim, onAskRelease } = this.#listeners;
    if (details?.state === 'free') {
      const { value } = details;
      this.#actions.show(`claim ${value}`, () => {
        const claim = button('claim-this', 'Claim it…', () => onClaim(value));
        return { content: [claim], next: claim };
      });
    } else if (!details?.claim) {
      this.#actions.show('', () => ({ content: [] }));
    } else if (details.isConfirming) {
      this.#showConfirmation(details.claim);
    } else {
      this.#actions.show(`release ${details.claim.token}`, () => {
        const release = changeButton('release', 'Release…', () => onAskRelease(true));
        return { content: [release], next: release };
      });
    }
  }

  /** @param {Claim} claim */
  #showConfirmation(claim) {
    const { onAskRelease, onRelease } = this.#listeners;
    this.#actions.show(`confirm ${claim.token}`, () => {
      const confirm = changeButton(
        'release-confirm',
        'Release it',
        () => onRelease(claim),
        'danger',
      );
      const group = element(
        'div',
        { 'class': 'confirm', 'role': 'group', 'aria-labelledby': 'release-question' },
        element(
          'p',
          { id: 'release-question' },
          `Release ${claim.value}, held by ${claim.client}?`,
        ),
        confirm,
        button('release-cancel', 'Keep it', () => onAskRelease(false)),
      );
      onEscape(group, () => onAskRelease(false));
      return { content: [group], next: confirm, takesFocus: true };
    });
  }
}

/**
 * @param {ValueState} state
 * @param {Pool} pool
 */
function noteOn(state, { lease }) {
  switch (state) {
    case 'held':
      return lease ? `A claim ends after ${lease} unless its client renews it.` : '';
    case 'quarantined':
      return 'It cannot be claimed until its quarantine ends.';
    case 'draining':
      return 'It cannot be claimed: its block is drained.';
    case 'excluded':
      return 'It is never handed out.';
    case 'free':
      return 'It can be claimed.';
  }
}

/** @param {Claim} claim */
function factsOf(claim) {
  const { client, slot, owner, token, ipv6 } = claim;
  const note = noteText(claim.note);
  return [
    fact('client', slot ? `${client} slot ${slot}` : client),
    fact('owner', owner ?? '—'),
    fact('since', timeElement(claim.claimed_at, TO_THE_SECOND)),
    fact('until', claim.expires_at ? timeElement(claim.expires_at, TO_THE_SECOND) : 'no lease'),
    fact('token', token),
    ...(ipv6 ? [fact('IPv6', ipv6)] : []),
    ...(note ? [fact('labels', note)] : []),
  ];
}

/**
 * @param {string} name
 * @param {string | Node} value
 */
function fact(name, value) {
  return element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', { 'class': 'mono', 'data-fact': name }, value),
  );
}

/** @param {HistoryEntry} claim */
function pastClaimElement({ client, owner, ending, claimed_at, ended_at }) {
  return element(
    'li',
    {},
    element('span', { class: 'mono' }, owner ? `${client}, ${owner}` : client),
    ` ${ending} `,
    timeElement(ended_at ?? '', TO_THE_SECOND),
    ' held since ',
    timeElement(claimed_at, TO_THE_SECOND),
  );
}

/**
 * @param {string} sign
 * @param {string} name
 * @param {() => void} onclick
 * @param {string} [className]
 */
function stepButton(sign, name, onclick, className = '') {
  return element(
    'button',
    { 'type': 'button', 'class': `step ${className}`, 'aria-label': name, onclick },
    sign,
  );
}
