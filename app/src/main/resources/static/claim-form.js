import { ask } from './api.js';
import { counted, element, setText } from './dom.js';

/** Claims a value for a client and says what came of it. */
export class ClaimForm {
  #pool = '';

  /** @param {{onClaimed: (claim: any) => void}} listeners */
  constructor({ onClaimed }) {
    this.onClaimed = onClaimed;
    this.client = field('claim-client', 'Client', 'vm-43943');
    this.owner = field('claim-owner', 'Owner, if any', 'acme');
    this.value = field('claim-value', 'This value, or any', 'any');
    this.count = field('claim-count', 'How many', '1');
    this.count.input.inputMode = 'numeric';
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
      this.value.root,
      this.count.root,
      element(
        'button',
        { 'type': 'submit', 'class': 'primary', 'data-testid': 'claim-submit' },
        'Claim',
      ),
      this.result,
    );
  }

  /** @param {any} pool what it gives decides what can be asked for */
  aim({ name, per_client: perClient, per_owner: perOwner }) {
    if (name !== this.#pool) {
      this.#pool = name;
      this.value.input.value = '';
      this.count.input.value = '';
      this.#say('', '');
    }
    this.count.root.hidden = perClient === 1;
    this.value.root.classList.toggle('is-wide', perClient === 1);
    setText(
      this.owner.label,
      perOwner === null ? 'Owner, if any' : `Owner, of ${counted(perOwner)} at most`,
    );
  }

  /** @param {string} value the one to be claimed */
  name(value) {
    this.value.input.value = value;
    this.client.input.focus();
  }

  async #claim() {
    const client = this.client.input.value.trim();
    const owner = this.owner.input.value.trim();
    if (!client) {
      this.#say('refused', 'Name the client that is to hold the value.');
      this.client.input.focus();
      return;
    }
    const value = this.value.input.value.trim();
    const count = this.count.root.hidden ? '' : this.count.input.value.trim();
    if (count && !/^[1-9]\d{0,3}$/.test(count)) {
      this.#say('refused', 'How many: a whole number from 1.');
      this.count.input.focus();
      return;
    }
    try {
      const { status, body } = await ask(
        ['pools', this.#pool, 'claims'],
        {},
        {
          method: 'POST',
          body: {
            client,
            ...(owner ? { owner } : {}),
            ...(value ? { value } : {}),
            ...(count ? { count: Number(count) } : {}),
          },
        },
      );
      const claims = body.claims ?? [body];
      this.#say('granted', granted(status, claims));
      this.onClaimed(claims[0]);
    } catch (error) {
      this.#say('refused', /** @type {Error} */ (error).message);
    }
  }

  #say(outcome, text) {
    this.result.dataset.outcome = outcome;
    this.result.textContent = text;
  }
}

function granted(status, claims) {
  const values = claims.map(({ value }) => value).join(', ');
  const { client, token } = claims[0];
  const tokens = claims.length === 1 ? `, token ${token}` : '';
  return status === 201
    ? `Granted: ${client} holds ${values}${tokens}.`
    : `Already held: ${client} has ${values}${tokens}.`;
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
  const label = element('label', { for: id }, name);
  return { input, label, root: element('div', { class: 'field' }, label, input) };
}
