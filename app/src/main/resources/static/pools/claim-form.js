import { element, setText, submitButton, textInput } from '../common/dom.js';
import { counted } from '../common/numbers.js';

/**
 * @import {ClaimRequest, Pool} from './api.js'
 * @import {Granted, Refused} from './claims-state.js'
 */

/** The form that claims values for a client. */
export class ClaimForm {
  #listeners;
  #client = new Field('claim-client', 'Client', 'vm-43943');
  #owner = new Field('claim-owner', 'Owner (optional)', 'acme');
  #value = new Field('claim-value', 'Value (optional)', 'any');
  #count = new Field('claim-count', 'How many', '1');
  #result = element('p', {
    'class': 'result',
    'role': 'status',
    'data-testid': 'claim-result',
  });

  /**
   * @param {object} listeners
   * @param {(wanted: ClaimRequest) => void} listeners.onClaim
   * @param {(message: string) => void} listeners.onInvalid
   */
  constructor(listeners) {
    this.#listeners = listeners;
    this.#count.input.inputMode = 'numeric';
    this.root = element(
      'form',
      {
        'class': 'claim',
        'aria-label': 'Claim a value',
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          this.#submit();
        },
      },
      this.#client.root,
      this.#owner.root,
      this.#value.root,
      this.#count.root,
      submitButton('claim-submit', 'Claim'),
      this.#result,
    );
  }

  /** Empties what concerns one pool alone, for another pool. */
  reset() {
    this.#value.input.value = '';
    this.#count.input.value = '';
  }

  /** @param {Pool} pool the pool's quotas determine what can be asked for */
  show({ per_client: perClient, per_owner: perOwner }) {
    this.#count.root.hidden = perClient === 1;
    this.#value.root.classList.toggle('is-wide', perClient === 1);
    setText(
      this.#owner.label,
      perOwner === null ? 'Owner (optional)' : `Owner, at most ${counted(perOwner)}`,
    );
  }

  /** @param {Granted | Refused | null} result */
  showResult(result) {
    this.#result.dataset.outcome = result?.outcome ?? '';
    setText(this.#result, resultText(result));
  }

  /** @param {string} value the one to claim */
  prepare(value) {
    this.#value.input.value = value;
    this.#client.input.focus();
  }

  #submit() {
    const client = this.#client.text;
    const owner = this.#owner.text;
    const value = this.#value.text;
    const count = this.#count.root.hidden ? '' : this.#count.text;
    if (!client) {
      this.#listeners.onInvalid('Enter a client.');
      this.#client.input.focus();
    } else if (count && !/^[1-9]\d{0,3}$/.test(count)) {
      this.#listeners.onInvalid('Enter how many as a whole number from 1 to 9,999.');
      this.#count.input.focus();
    } else {
      this.#listeners.onClaim({
        client,
        ...(owner ? { owner } : {}),
        ...(value ? { value } : {}),
        ...(count ? { count: Number(count) } : {}),
      });
    }
  }
}

class Field {
  /**
   * @param {string} id
   * @param {string} name
   * @param {string} placeholder
   */
  constructor(id, name, placeholder) {
    this.input = textInput(id, placeholder);
    this.label = element('label', { for: id }, name);
    this.root = element('div', { class: 'field' }, this.label, this.input);
  }

  get text() {
    return this.input.value.trim();
  }
}

/** @param {Granted | Refused | null} result */
function resultText(result) {
  if (result === null) {
    return '';
  }
  return result.outcome === 'granted' ? grantText(result) : result.message;
}

/** @param {Granted} result */
function grantText({ claims, isNew }) {
  const values = claims.map(({ value }) => value).join(', ');
  const [{ client, token }] = claims;
  const tokens = claims.length === 1 ? `, token ${token}` : '';
  return isNew
    ? `Granted: ${client} holds ${values}${tokens}.`
    : `Already held: ${client} has ${values}${tokens}.`;
}
