import { readAddress, writeAddress } from './address.js';
import { inspect, mint } from './api.js';
import { byId, element } from './dom.js';
import { readingElement } from './reading.js';

/** @import {Inspection} from './api.js' */

const EXAMPLES = [
  ['01FZG96YPZK4SANAG1ZM5T2K9Z', 'a ULID'],
  ['017fe093-7adf-9932-aaaa-01fd0ba14d3f', 'the same ULID, stored as a UUID'],
  ['061ff8d8-e24b-7000-8092-ca1e5440d491', 'a UUIDv7 of an early draft'],
  ['b43a28cb-a649-426d-ad59-13b2a02894e3', 'a UUIDv4'],
  ['prefix_01h455vb4pex5vsknk084sn02q', 'a TypeID'],
  ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'a KSUID'],
  ['1541815603606036480', 'a number: a Twitter Snowflake, or another kind'],
];
const MINTED = [
  ['ulid', 'ULID'],
  ['uuidv7', 'UUIDv7'],
  ['uuidv4', 'UUIDv4'],
];
const TYPING_PAUSE_MILLIS = 150;

/**
 * @typedef {object} How
 * @property {boolean} [replace] change the address without a step to go back to
 * @property {boolean} [keepAddress]
 * @property {string | null} [before] the id that this one replaces
 */

/** Shows every plausible reading of an identifier, the most likely first. */
export class Inspector {
  #input = byId('inspector-input', HTMLInputElement);
  #status = byId('inspector-status');
  #error = byId('inspector-error');
  #readings = byId('readings');
  /** Counts the requests: answers to all but the latest are ignored. */
  #latest = 0;
  #typingTimer = 0;
  /** Whether the first example is shown, which the user did not ask for. */
  #isExample = false;

  start() {
    byId('inspector-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#inspect(this.#input.value.trim());
    });
    this.#input.addEventListener('input', (event) => this.#onInput(event));
    byId('regenerate').append(
      ...MINTED.map(([kind, name]) => chip(mintChip(kind, name, () => this.#regenerate(kind)))),
    );
    byId('examples').append(
      ...EXAMPLES.map(([id, title]) => chip(exampleChip(id, title, () => this.#showExample(id)))),
    );
    addEventListener('hashchange', () => this.#followAddress());
    if (readAddress('id') === null) {
      this.#inspect(EXAMPLES[0][0], { keepAddress: true });
      this.#isExample = true;
    } else {
      this.#followAddress();
    }
  }

  #followAddress() {
    const id = readAddress('id');
    if (id !== null && id !== this.#input.value) {
      this.#input.value = id;
      this.#inspect(id, { keepAddress: true });
    }
  }

  /** @param {Event} event */
  #onInput(event) {
    this.#begin();
    if (this.#isExample) {
      this.#readings.replaceChildren();
      this.#isExample = false;
    }
    const isPasted = event instanceof InputEvent && event.inputType === 'insertFromPaste';
    this.#typingTimer = setTimeout(
      () => this.#inspect(this.#input.value.trim(), { replace: !isPasted }),
      isPasted ? 0 : TYPING_PAUSE_MILLIS,
    );
  }

  /** @param {string} id */
  #showExample(id) {
    this.#input.value = id;
    this.#inspect(id);
  }

  /**
   * Begins a request; from now on the answers to earlier ones are too late.
   *
   * @returns {() => boolean} whether it is still the latest
   */
  #begin() {
    clearTimeout(this.#typingTimer);
    this.#readings.setAttribute('aria-busy', 'true');
    const mine = ++this.#latest;
    return () => mine === this.#latest;
  }

  /**
   * @param {string} id
   * @param {How} [how]
   */
  async #inspect(id, { replace = false, keepAddress = false, before = null } = {}) {
    const isLatest = this.#begin();
    this.#isExample = false;
    if (!id) {
      this.#clear();
      writeAddress('id', '', { replace });
      return;
    }
    try {
      const inspection = await inspect(id);
      if (isLatest()) {
        this.#error.replaceChildren();
        this.#show(inspection, before);
        this.#readings.removeAttribute('aria-busy');
        if (!keepAddress) {
          writeAddress('id', id, { replace });
        }
      }
    } catch (error) {
      if (isLatest()) {
        this.#clear();
        this.#showError(error);
      }
    }
  }

  /** @param {string} kind */
  async #regenerate(kind) {
    const before = this.#input.value;
    const isLatest = this.#begin();
    try {
      const id = await mint(kind);
      if (isLatest()) {
        this.#input.value = id;
        await this.#inspect(id, { replace: true, before });
      }
    } catch (error) {
      if (isLatest()) {
        this.#readings.removeAttribute('aria-busy');
        this.#showError(error);
      }
    }
  }

  #clear() {
    this.#readings.replaceChildren();
    this.#readings.removeAttribute('aria-busy');
    this.#error.replaceChildren();
    this.#status.textContent = '';
  }

  /**
   * @param {Inspection} inspection
   * @param {string | null} before
   */
  #show({ input, readings, nearest_miss: miss }, before) {
    this.#status.textContent = statusText(input, readings);
    this.#readings.replaceChildren(
      ...(readings.length === 0
        ? [unknownElement(input, miss)]
        : readings.map((reading, rank) => readingElement(input, reading, { rank, before }))),
    );
  }

  /** @param {unknown} error */
  #showError(error) {
    const { message } = /** @type {Error} */ (error);
    this.#error.replaceChildren(element('p', { class: 'notice is-error' }, message));
  }
}

/**
 * @param {string} input
 * @param {Inspection['readings']} readings
 */
function statusText(input, [likely, ...others]) {
  if (!likely) {
    return `${input}: not recognised`;
  }
  const alternatives = others.length ? `, or ${others.map(({ kind }) => kind).join(', ')}` : '';
  return `${input}: most likely ${likely.kind}${alternatives}`;
}

/**
 * @param {string} input
 * @param {string | null} miss
 */
function unknownElement(input, miss) {
  const code = element('code', { class: 'mono' }, input);
  const why = miss ? [element('br', {}), miss] : [];
  return element('p', { class: 'notice' }, code, ' is not a recognised identifier.', ...why);
}

/** @param {HTMLElement} button */
function chip(button) {
  return element('li', {}, button);
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {() => void} onclick
 */
function mintChip(kind, name, onclick) {
  return element(
    'button',
    {
      'type': 'button',
      'class': 'chip is-mint',
      'data-testid': `regenerate-${kind}`,
      'aria-label': `Regenerate ${name}`,
      onclick,
    },
    name,
  );
}

/**
 * @param {string} id
 * @param {string} title
 * @param {() => void} onclick
 */
function exampleChip(id, title, onclick) {
  return element('button', { type: 'button', class: 'chip mono', title, onclick }, id);
}
