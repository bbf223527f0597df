import { ask, Problem } from './api.js';
import { element, setText } from './dom.js';
import { timeElement } from './time.js';

const POINTING_PAUSE_MILLIS = 120;
const TO_THE_SECOND = { fraction: false };
const HISTORY_SHOWN = 5;

/**
 * What is known of one value: its state at once, and who holds and held it as soon as the server has
 * said. A held value can be released here, under the token that was shown.
 */
export class CellDetails {
  /** @type {{pool: any, value: string, state: string, label: string} | null} */
  #subject = null;
  /** @type {any} */
  #claim = null;
  #asking = new AbortController();
  #timer = 0;

  /**
   * @param {object} listeners
   * @param {(by: number) => void} listeners.onStep to a neighbour: -1 or 1
   * @param {() => void} listeners.onClose
   * @param {() => void} listeners.onReleased
   * @param {(value: string) => void} listeners.onClaim the value is to be claimed
   */
  constructor({ onStep, onClose, onReleased, onClaim }) {
    this.onReleased = onReleased;
    this.onClaim = onClaim;
    this.value = element('h3', { class: 'mono details-value' });
    this.state = element('p', { class: 'details-state' });
    this.facts = element('dl', { class: 'facts' });
    this.note = element('p', { class: 'hint details-note' });
    this.message = element('p', { class: 'result', role: 'status' });
    this.actions = element('div', { class: 'details-actions' });
    this.history = element('ol', { 'class': 'history', 'data-testid': 'history' });
    this.steps = element(
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
        element('div', {}, this.value, this.state),
        this.steps,
      ),
      this.facts,
      this.note,
      this.actions,
      this.message,
      this.history,
    );
    this.clear();
  }

  clear() {
    this.#stop();
    this.#subject = null;
    this.#claim = null;
    this.root.classList.add('is-empty');
    setText(this.value, 'No value selected');
    setText(this.state, '');
    setText(this.note, 'Point at a cell, tap it, or move through the map with the arrow keys.');
    setText(this.message, '');
    this.state.removeAttribute('data-state');
    this.facts.replaceChildren();
    this.actions.replaceChildren();
    this.history.replaceChildren();
    this.steps.hidden = true;
  }

  /**
   * @param {any} pool
   * @param {string} value
   * @param {{state: string, label: string}} state
   * @param {{pause?: boolean, refresh?: boolean}} [how] `pause` waits before it asks the server
   */
  show(pool, value, { state, label }, { pause = false, refresh = false } = {}) {
    const before = this.#subject;
    const same =
      before !== null &&
      before.pool.name === pool.name &&
      before.value === value &&
      before.state === state;
    if (same && !refresh) {
      return;
    }
    this.#stop();
    this.#subject = { pool, value, state, label };
    this.root.classList.remove('is-empty');
    this.steps.hidden = false;
    setText(this.value, value);
    setText(this.state, label);
    this.state.dataset.state = state;
    if (!same) {
      this.#claim = null;
      this.facts.replaceChildren();
      this.actions.replaceChildren();
      if (before?.value !== value) {
        setText(this.message, '');
        this.history.replaceChildren();
      }
    }
    setText(this.note, noteOn(state, pool));
    if (state === 'free' && !same) {
      this.#offerClaim();
    }
    if (state !== 'excluded') {
      this.#timer = setTimeout(() => this.#ask(), pause ? POINTING_PAUSE_MILLIS : 0);
    }
  }

  #ask() {
    if (this.#subject?.state === 'held') {
      this.#askForClaim();
    }
    this.#askForHistory();
  }

  async #askForHistory() {
    const subject = this.#subject;
    const { signal } = this.#asking;
    if (!subject || subject.pool.history === null) {
      return;
    }
    try {
      const { body } = await ask(
        ['pools', subject.pool.name, 'history'],
        { value: subject.value, limit: HISTORY_SHOWN },
        { signal },
      );
      if (!signal.aborted) {
        this.history.replaceChildren(...body.history.filter(hasEnded).map(tenureElement));
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Problem) {
        setText(this.message, error.message);
      }
    }
  }

  #offerClaim() {
    const { value } = /** @type {{value: string}} */ (this.#subject);
    this.actions.replaceChildren(
      element(
        'button',
        {
          'type': 'button',
          'class': 'quiet',
          'data-testid': 'claim-this',
          'onclick': () => this.onClaim(value),
        },
        'Claim it…',
      ),
    );
  }

  /** Whether a question waits for its answer, so that nothing else should take its place. */
  get isAsking() {
    return this.actions.querySelector('.confirm') !== null;
  }

  /** Moves the focus to what can be done with the value, if anything can. */
  focusAction() {
    this.actions.querySelector('button')?.focus();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#asking = new AbortController();
  }

  async #askForClaim() {
    const subject = this.#subject;
    const { signal } = this.#asking;
    if (!subject) {
      return;
    }
    try {
      const { body } = await ask(
        ['pools', subject.pool.name, 'claims', subject.value],
        {},
        { signal },
      );
      if (!signal.aborted) {
        this.#showClaim(body);
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Problem && error.status !== 404) {
        setText(this.message, error.message);
      }
    }
  }

  #showClaim(claim) {
    const same = this.#claim?.token === claim.token;
    this.#claim = claim;
    const facts = [
      fact('client', claim.slot ? `${claim.client} slot ${claim.slot}` : claim.client),
      fact('owner', claim.owner ?? '—'),
      fact('since', timeElement(claim.claimed_at, TO_THE_SECOND)),
      fact('until', claim.expires_at ? timeElement(claim.expires_at, TO_THE_SECOND) : 'no lease'),
      fact('token', claim.token),
    ];
    if (claim.ipv6) {
      facts.push(fact('IPv6', claim.ipv6));
    }
    this.facts.replaceChildren(...facts);
    if (!same || !this.actions.hasChildNodes()) {
      this.#offerRelease();
    }
  }

  #offerRelease({ focus = false } = {}) {
    const release = element(
      'button',
      {
        'type': 'button',
        'class': 'quiet',
        'data-testid': 'release',
        'onclick': () => this.#confirmRelease(),
      },
      'Release…',
    );
    this.actions.replaceChildren(release);
    if (focus) {
      release.focus();
    }
  }

  #confirmRelease() {
    const claim = this.#claim;
    const confirm = element(
      'button',
      {
        'type': 'button',
        'class': 'danger',
        'data-testid': 'release-confirm',
        'onclick': () => this.#release(claim),
      },
      `Release it`,
    );
    const question = element(
      'div',
      {
        'class': 'confirm',
        'role': 'group',
        'aria-labelledby': 'release-question',
        'onkeydown': (event) => {
          if (event.key === 'Escape') {
            this.#offerRelease({ focus: true });
          }
        },
      },
      element('p', { id: 'release-question' }, `Take ${claim.value} from ${claim.client}?`),
      confirm,
      element(
        'button',
        {
          'type': 'button',
          'class': 'quiet',
          'data-testid': 'release-cancel',
          'onclick': () => this.#offerRelease({ focus: true }),
        },
        'Keep it',
      ),
    );
    this.actions.replaceChildren(question);
    confirm.focus();
  }

  async #release(claim) {
    try {
      await ask(
        ['pools', claim.pool, 'claims', claim.value],
        {},
        {
          method: 'DELETE',
          headers: { 'if-match': `"${claim.token}"` },
        },
      );
      this.actions.replaceChildren();
      setText(this.message, `${claim.value} was released.`);
      this.onReleased();
    } catch (error) {
      setText(this.message, /** @type {Error} */ (error).message);
      this.#claim = null;
      this.#askForClaim();
    }
  }
}

function noteOn(state, { lease }) {
  switch (state) {
    case 'held':
      return lease ? `A claim lasts ${lease} unless its client renews it.` : '';
    case 'quarantined':
      return 'It rests in quarantine before it is handed out again.';
    case 'draining':
      return 'Its block is drained: it is handed out no more.';
    case 'excluded':
      return 'It is excluded: never handed out.';
    default:
      return 'It can be claimed.';
  }
}

function hasEnded({ ended_at: endedAt }) {
  return endedAt !== null;
}

/** One who held the value before: who, how it ended and when. */
function tenureElement({ client, owner, ending, claimed_at: claimedAt, ended_at: endedAt }) {
  return element(
    'li',
    {},
    element('span', { class: 'mono' }, owner ? `${client}, ${owner}` : client),
    ` ${ending} `,
    timeElement(endedAt, TO_THE_SECOND),
    ' held since ',
    timeElement(claimedAt, TO_THE_SECOND),
  );
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

function stepButton(sign, name, onclick, more = '') {
  return element(
    'button',
    { 'type': 'button', 'class': `step ${more}`, 'aria-label': name, onclick },
    sign,
  );
}
