import { readAllOfAddress, writeAllOfAddress } from '../common/address.js';
import { button, byId, element } from '../common/dom.js';
import { LatestSignal } from '../common/http.js';
import { counted } from '../common/numbers.js';
import { inspect, inspectText, mint } from './api.js';
import { offerToFind } from './find-row.js';
import { Found, foundText, nothingFound } from './found.js';
import { isOneIdentifier } from './identifier-text.js';
import { MintForm } from './mint-form.js';
import { MINTED, another } from './minting.js';
import { PastList } from './past-list.js';
import { remember } from './past.js';
import { readingElement } from './reading.js';
import { COMPARED_MAX, comparisonElement } from './side-by-side.js';
import { Strips } from './strips.js';

/**
 * @import {Inspection, TextInspection} from './api.js'
 * @import {MintBody} from './minting.js'
 * @import {View} from '../views.js'
 */

const EXAMPLES = [
  ['01FZG96YPZK4SANAG1ZM5T2K9Z', 'a ULID'],
  ['017fe093-7adf-9932-aaaa-01fd0ba14d3f', 'the same ULID, stored as a UUID'],
  ['061ff8d8-e24b-7000-8092-ca1e5440d491', 'a UUIDv7 of an early draft'],
  ['b43a28cb-a649-426d-ad59-13b2a02894e3', 'a UUIDv4'],
  ['prefix_01h455vb4pex5vsknk084sn02q', 'a TypeID'],
  ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'a KSUID'],
  ['1541815603606036480', 'a number: a Twitter Snowflake, or another kind'],
];
const TYPING_PAUSE_MILLIS = 150;
/** A text is longer, and each request sends all of it. */
const TEXT_PAUSE_MILLIS = 500;
/** UTF-16 code units that the server accepts. */
const TEXT_LENGTH_MAX = 1 << 20;

/**
 * @typedef {object} How
 * @property {boolean} [replace] change the address without a step to go back to
 * @property {boolean} [keepAddress]
 * @property {boolean} [isId] whether it is an identifier, whatever it looks like
 * @property {string | null} [before] the id that the current one replaces
 */

/**
 * Shows every plausible reading of an identifier, the most likely first, or several identifiers
 * side by side. The address has all of them: the last is the one in the input, the others are kept
 * for comparison.
 */
export class Inspector {
  #input = byId('inspector-input', HTMLTextAreaElement);
  #status = byId('inspector-status');
  #error = byId('inspector-error');
  #readings = byId('readings');
  #label = byId('inspector-label');
  #compare = byId('compare-another', HTMLButtonElement);
  #past = new PastList(
    () => this.#switchPast(),
    (id) => this.#showId(id),
  );
  /** Counts the requests: answers to all but the latest are ignored. */
  #latest = 0;
  #typingTimer = 0;
  #signal = new LatestSignal();
  /** Whether the first example is shown, which the user did not ask for. */
  #isExample = false;
  /** Whether another view is shown. */
  #isLeft = false;
  /** What the address last said, for when the view is shown again. */
  #shown = { id: [''], past: [''] };
  /** The ids that stay when another is inspected. @type {string[]} */
  #kept = [];

  /** @returns {View} */
  start() {
    byId('inspector-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#inspect(this.#input.value.trim());
    });
    this.#input.addEventListener('input', (event) => this.#onInput(event));
    this.#input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.#inspect(this.#input.value.trim());
      }
    });
    this.#compare.addEventListener('click', () => this.#keep());
    byId('regenerate').append(
      ...MINTED.map(([kind, name]) => chip(mintChip(kind, name, () => this.#regenerate({ kind })))),
    );
    new MintForm((body) => this.#regenerate(body));
    byId('examples').append(
      ...EXAMPLES.map(([id, title]) => chip(exampleChip(id, title, () => this.#showId(id)))),
    );
    new Strips().start();
    return {
      follow: () => this.#followAddress(),
      leave: () => {
        this.#isLeft = true;
      },
    };
  }

  #followAddress() {
    const isBack = this.#isLeft && readAllOfAddress('id').length === 0;
    this.#isLeft = false;
    if (isBack) {
      writeAllOfAddress(this.#shown, { replace: true });
      return;
    }
    const past = readAllOfAddress('past');
    this.#past.isOn = past.length > 0;
    this.#past.show(past);
    const ids = readAllOfAddress('id').slice(0, COMPARED_MAX);
    this.#shown = { id: ids, past };
    if (ids.length === 0) {
      this.#showExample();
    } else if (ids.join('\n') !== [...this.#kept, this.#input.value].join('\n')) {
      this.#kept = ids.slice(0, -1);
      this.#input.value = ids[ids.length - 1];
      this.#inspect(this.#input.value, { keepAddress: true, isId: true });
    }
  }

  #showExample() {
    if (!this.#isExample) {
      this.#kept = [];
      this.#input.value = '';
      this.#inspect(EXAMPLES[0][0], { keepAddress: true });
      this.#isExample = true;
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
    const text = this.#input.value.trim();
    const pause = isOneIdentifier(text) ? TYPING_PAUSE_MILLIS : TEXT_PAUSE_MILLIS;
    this.#typingTimer = setTimeout(
      () => this.#inspect(text, { replace: !isPasted }),
      isPasted ? 0 : pause,
    );
  }

  /** @param {string} id */
  #showId(id) {
    this.#input.value = id;
    this.#inspect(id, { isId: true });
  }

  /** Keeps the current id beside the next one. */
  #keep() {
    const current = this.#input.value.trim() || (this.#isExample ? EXAMPLES[0][0] : '');
    if (current && this.#kept.length + 1 < COMPARED_MAX) {
      this.#kept = [...this.#kept, current];
      this.#isExample = false;
      this.#input.value = '';
      this.#inspect('', { replace: true });
    }
    this.#input.focus();
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
   * @param {string} current
   * @param {How} [how]
   */
  async #inspect(
    current,
    { replace = false, keepAddress = false, isId = false, before = null } = {},
  ) {
    const isLatest = this.#begin();
    this.#isExample = false;
    this.#label.textContent = labelText(this.#kept.length);
    const signal = this.#signal.next();
    if (current && !isId && !isOneIdentifier(current)) {
      await this.#inspectText(current, { signal, isLatest, replace });
      return;
    }
    const ids = [...this.#kept, current].filter(Boolean);
    if (ids.length === 0) {
      this.#clear();
      this.#writeAddress([], { replace });
      return;
    }
    try {
      const inspections = await inspect(ids);
      if (inspections.length === 1 && inspections[0].readings.length === 0) {
        const found = await inspectText(current, signal).catch(() => null);
        if (found?.ids.length && isLatest()) {
          this.#showFound(current, found, { replace });
          return;
        }
      }
      if (isLatest()) {
        this.#error.replaceChildren();
        this.#show(inspections, before);
        this.#readings.removeAttribute('aria-busy');
        if (!keepAddress) {
          this.#writeAddress(ids, { replace });
        }
      }
    } catch (error) {
      if (isLatest()) {
        this.#clear();
        this.#showError(error, () =>
          this.#inspect(current, { replace, keepAddress, isId, before }),
        );
      }
    }
  }

  /**
   * A text is not part of the address.
   *
   * @param {string} text
   * @param {{signal: AbortSignal, isLatest: () => boolean, replace: boolean}} how
   */
  async #inspectText(text, { signal, isLatest, replace }) {
    try {
      if (text.length > TEXT_LENGTH_MAX) {
        throw new RangeError(
          `The text has ${counted(text.length)} characters: at most ${counted(TEXT_LENGTH_MAX)} can be inspected at once.`,
        );
      }
      const found = await inspectText(text, signal);
      if (isLatest()) {
        this.#showFound(text, found, { replace });
      }
    } catch (error) {
      if (isLatest()) {
        this.#clear();
        this.#showError(error, () => this.#inspect(text, { replace }));
      }
    }
  }

  /**
   * @param {string} text
   * @param {TextInspection} inspection
   * @param {{replace: boolean}} how
   */
  #showFound(text, inspection, how) {
    this.#clear();
    this.#status.textContent = foundText(inspection.ids.length);
    this.#readings.replaceChildren(
      inspection.ids.length > 0
        ? new Found(text, inspection, { show: (ids) => this.#showFoundIds(ids) }).root
        : nothingFound(text, inspection),
    );
    this.#writeAddress(this.#kept, how);
  }

  /** @param {string[]} ids */
  async #showFoundIds(ids) {
    await this.#showIds(ids);
    this.#readings.focus();
  }

  /**
   * The ids that are shown, and the history if it is kept.
   *
   * @param {string[]} ids
   * @param {{replace: boolean}} how
   */
  #writeAddress(ids, how) {
    const past = this.#past.isOn ? remember(readAllOfAddress('past'), ids) : [];
    this.#past.show(past);
    this.#shown = { id: ids, past };
    writeAllOfAddress(this.#shown, how);
  }

  #switchPast() {
    this.#writeAddress(readAllOfAddress('id'), { replace: false });
  }

  /** @param {MintBody} body */
  async #regenerate(body) {
    const before = this.#input.value;
    const id = await this.#mint(body, () => this.#regenerate(body));
    if (id !== null) {
      this.#input.value = id;
      await this.#inspect(id, { replace: true, before });
    }
  }

  /**
   * @param {MintBody} body
   * @param {() => void} retry
   * @returns {Promise<string | null>} null if it failed or is too late
   */
  async #mint(body, retry) {
    const isLatest = this.#begin();
    try {
      const [id] = await mint(body);
      return isLatest() ? id : null;
    } catch (error) {
      if (isLatest()) {
        this.#readings.removeAttribute('aria-busy');
        this.#showError(error, retry);
      }
      return null;
    }
  }

  #clear() {
    this.#readings.replaceChildren();
    this.#readings.removeAttribute('aria-busy');
    this.#error.replaceChildren();
    this.#status.textContent = '';
  }

  /**
   * @param {Inspection[]} inspections
   * @param {string | null} before
   */
  #show(inspections, before) {
    this.#compare.disabled = inspections.length >= COMPARED_MAX;
    if (inspections.length > 1) {
      this.#status.textContent = `${inspections.length} identifiers side by side`;
      this.#readings.replaceChildren(this.#comparison(inspections));
      return;
    }
    const [{ input, readings, nearest_miss: miss }] = inspections;
    this.#status.textContent = statusText(input, readings);
    this.#readings.replaceChildren(
      ...(readings.length === 0
        ? [unknownElement(input, miss)]
        : readings.map((reading, rank) => readingElement(input, reading, { rank, before }))),
    );
    offerToFind(input, this.#readings);
  }

  /** @param {Inspection[]} inspections */
  #comparison(inspections) {
    const ids = inspections.map(({ input }) => input);
    return comparisonElement(inspections, {
      regenerate: (at) => this.#regenerateSide(inspections, at),
      open: (at) => this.#showIds([ids[at]]).then(() => this.#readings.focus()),
      remove: (at) =>
        this.#showIds(ids.filter((_, other) => other !== at)).then(() => this.#readings.focus()),
    });
  }

  /**
   * Replaces one of the compared ids by another of its kind.
   *
   * @param {Inspection[]} inspections
   * @param {number} at
   */
  async #regenerateSide(inspections, at) {
    const body = another(inspections[at]);
    const id = body && (await this.#mint(body, () => this.#regenerateSide(inspections, at)));
    if (id) {
      const ids = inspections.map(({ input }, other) => (other === at ? id : input));
      await this.#showIds(ids);
      this.#focusSide('regenerate-side', at);
    }
  }

  /**
   * Moves the focus, which was on a button that was replaced.
   *
   * @param {string} testId
   * @param {number} at
   */
  #focusSide(testId, at) {
    const side = this.#readings.querySelectorAll('[data-testid=compared]')[at];
    const found = side?.querySelector(`[data-testid=${testId}]`);
    if (found instanceof HTMLElement) {
      found.focus();
    }
  }

  /**
   * Shows ids, of which the last is in the input.
   *
   * @param {string[]} ids at least one
   */
  async #showIds(ids) {
    const current = ids.at(-1) ?? '';
    this.#kept = ids.slice(0, -1);
    this.#input.value = current;
    await this.#inspect(current, { isId: true });
  }

  /**
   * @param {unknown} error
   * @param {() => void} retry
   */
  #showError(error, retry) {
    const { message } = /** @type {Error} */ (error);
    this.#error.replaceChildren(
      element(
        'p',
        { class: 'notice is-error' },
        `${message} `,
        button('inspector-retry', 'Try again', retry),
      ),
    );
  }
}

/** @param {number} kept how many ids stay beside the next one */
function labelText(kept) {
  return kept === 0
    ? 'An identifier, or a text that contains some'
    : `Another identifier, to compare with ${kept === 1 ? 'the one' : `the ${kept}`} below`;
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

/** @param {HTMLElement} made */
function chip(made) {
  return element('li', {}, made);
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
