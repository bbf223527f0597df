import { ask, Problem } from './api.js';
import { element } from './dom.js';

/** Claims a value for a client and says what came of it. */
export class ClaimForm {
  #pool = '';

  /** @param {{onClaimed: (claim: any) => void}} listeners */
  constructor({ onClaimed }) {
    this.onClaimed = onClaimed;
    this.client = field('claim-client', 'Client', 'vm-43943');
    this.owner = field('claim-owner', 'Owner, if any', 'acme');
    this.result = element('p', {
      'class': 'result',
      'role': 'status',
      'data-testid': 'claim-result',
    });
    this.root = element(
      'form',
      {
        'class': 'claim',
        'aria-label': 'Claim a value',
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          this.#claim();
        },
      },
      this.client.root,
      this.owner.root,
      element(
        'button',
        { 'type': 'submit', 'class': 'primary', 'data-testid': 'claim-submit' },
        'Claim',
      ),
      this.result,
    );
  }

  /** @param {string} pool */
  aim(pool) {
    if (pool !== this.#pool) {
      this.#pool = pool;
      this.#say('', '');
    }
  }

  async #claim() {
    const client = this.client.input.value.trim();
    const owner = this.owner.input.value.trim();
    if (!client) {
      this.#say('refused', 'Name the client that is to hold the value.');
      this.client.input.focus();
      return;
    }
    const pool = this.#pool;
    try {
      const { status, body } = await ask(
        ['pools', pool, 'claims'],
        {},
        {
          method: 'POST',
          body: owner ? { client, owner } : { client },
        },
      );
      this.#say(
        'granted',
        status === 201
          ? `Granted: ${body.client} holds ${body.value}, token ${body.token}.`
          : `Already held: ${body.client} has ${body.value}, token ${body.token}.`,
      );
      this.onClaimed(body);
    } catch (error) {
      this.#say('refused', refusal(error));
    }
  }

  #say(outcome, text) {
    this.result.dataset.outcome = outcome;
    this.result.textContent = text;
  }
}

function refusal(error) {
  if (!(error instanceof Problem) || error.status !== 409) {
    return error.message;
  }
  const wait = error.retryAfterSeconds;
  return wait === null ? error.message : `${error.message}. Ask again in ${wait} s.`;
}

function field(id, name, placeholder) {
  const input = /** @type {HTMLInputElement} */ (
    element('input', {
      id,
      'data-testid': id,
      'type': 'text',
      'class': 'mono',
      placeholder,
      'autocomplete': 'off',
      'autocapitalize': 'off',
      'spellcheck': 'false',
    })
  );
  return {
    input,
    root: element('div', { class: 'field' }, element('label', { for: id }, name), input),
  };
}
