import { copyButton } from '../common/copy.js';
import { button, changeButton, element, setText, submitButton, textInput } from '../common/dom.js';
import { timeElement } from '../common/time.js';
import { createKey, listKeys, revokeKey } from './api.js';
import { keyProblem, keyRequestOf, stateOf } from './key-draft.js';

/** @import {Key} from './api.js' */

const TO_THE_SECOND = { fraction: false };
const COLUMNS = ['id', 'name', 'scopes', 'owner', 'created', 'last used', 'expires', 'state'];

/** The keys of the server, and the form that creates one. */
export class Keys {
  #lines = element('tbody');
  #said = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'keys-said' });
  #created = element('div', { class: 'created-key', role: 'status', hidden: true });
  #name = textInput('key-name', 'billing');
  #scopes = textInput('key-scopes', 'claim:public-ipv4 pools:read');
  #owner = textInput('key-owner', 'all owners');
  #days = textInput('key-days', 'never');
  /** The id of the key that is about to be revoked. */
  #asked = '';
  /** @type {Key[]} */
  #keys = [];

  constructor() {
    const form = element(
      'form',
      {
        'class': 'pool-form',
        'aria-label': 'Create a key',
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          this.#create();
        },
      },
      field('Name', this.#name),
      field('Scopes, separated by spaces', this.#scopes),
      field('Owner (optional)', this.#owner),
      field('Expires after days (optional)', this.#days),
      submitButton('key-create', 'Create a key'),
    );
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'keys-title' },
      element('h2', { id: 'keys-title', class: 'panel-title' }, 'Keys'),
      form,
      this.#said,
      this.#created,
      element(
        'table',
        { 'class': 'claims keys', 'data-testid': 'keys' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...COLUMNS.map((name) => element('th', { scope: 'col' }, name)),
            element('td', {}),
          ),
        ),
        this.#lines,
      ),
    );
  }

  async load() {
    try {
      this.#keys = await listKeys();
      this.#show();
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, 'refused');
    }
  }

  async #create() {
    const typed = {
      name: this.#name.value,
      scopes: this.#scopes.value,
      owner: this.#owner.value,
      days: this.#days.value,
    };
    const problem = keyProblem(typed);
    if (problem) {
      this.#say(problem, 'refused');
      return;
    }
    try {
      const { text, key } = await createKey(keyRequestOf(typed, new Date()));
      this.root.querySelector('form')?.reset();
      this.#say('', '');
      this.#showCreated(key.name, text);
      await this.load();
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, 'refused');
    }
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  #showCreated(name, text) {
    const shown = element('code', { 'class': 'mono', 'data-testid': 'created-key' }, text);
    this.#created.replaceChildren(
      element('p', {}, `The key of ${name}. It is shown this once: store it as a secret now.`),
      element('p', {}, shown),
      copyButton(`the key of ${name}`, text),
      button('created-done', 'I have stored it', () => {
        this.#created.replaceChildren();
        this.#created.hidden = true;
      }),
    );
    this.#created.hidden = false;
  }

  #show() {
    this.#lines.replaceChildren(...this.#keys.map((key) => this.#row(key)));
  }

  /** @param {Key} key */
  #row(key) {
    const state = stateOf(key, new Date());
    const cells = [
      key.name,
      key.scopes.join(' '),
      key.owner ?? '—',
      timeElement(key.created_at, TO_THE_SECOND),
      key.last_used_at ? timeElement(key.last_used_at, TO_THE_SECOND) : '—',
      key.expires_at ? timeElement(key.expires_at, TO_THE_SECOND) : 'never',
      state,
    ];
    return element(
      'tr',
      { 'data-state': state },
      element('th', { scope: 'row', class: 'mono' }, key.id),
      ...cells.map((cell, at) => element('td', { 'data-label': COLUMNS[at + 1] }, cell)),
      element('td', { class: 'claim-actions' }, ...(state === 'in use' ? this.#actions(key) : [])),
    );
  }

  /** @param {Key} key */
  #actions({ id, name }) {
    if (this.#asked !== id) {
      const ask = button(`revoke-${id}`, 'Revoke…', () => this.#ask(id));
      ask.setAttribute('aria-label', `Revoke the key ${name}`);
      return [ask];
    }
    return [
      changeButton(`revoke-confirm-${id}`, 'Revoke it for good', () => this.#revoke(id), 'danger'),
      button(`revoke-cancel-${id}`, 'Keep it', () => this.#ask('')),
    ];
  }

  /** @param {string} id */
  #ask(id) {
    const before = this.#asked;
    this.#asked = id;
    this.#show();
    const next = id ? `revoke-confirm-${id}` : `revoke-${before}`;
    const focused = this.root.querySelector(`[data-testid="${next}"]`);
    if (focused instanceof HTMLElement) {
      focused.focus();
    }
  }

  /** @param {string} id */
  async #revoke(id) {
    try {
      await revokeKey(id);
      this.#asked = '';
      this.#say(`The key ${id} is revoked. Every server rejects it within 5 seconds.`, 'granted');
      await this.load();
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, 'refused');
    }
  }

  /**
   * @param {string} text
   * @param {string} outcome
   */
  #say(text, outcome) {
    this.#said.dataset.outcome = outcome;
    setText(this.#said, text);
  }
}

/**
 * @param {string} name
 * @param {HTMLElement} control
 */
function field(name, control) {
  return element('div', { class: 'field' }, element('label', { for: control.id }, name), control);
}
