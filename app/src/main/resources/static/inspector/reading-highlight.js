/**
 * Highlights a field in the characters, the bits and the table of a reading at once, while it is
 * pointed at or has the focus. A click keeps it highlighted.
 */
export class FieldHighlight {
  #reading;
  /** @type {HTMLElement[][]} the elements of each field */
  #parts;
  /** @type {number | null} */
  #pinned = null;
  /** @type {number | null} */
  #shown = null;

  /**
   * @param {HTMLElement} reading
   * @param {number} count of its fields
   */
  constructor(reading, count) {
    this.#reading = reading;
    this.#parts = Array.from({ length: count }, () => []);
    for (const part of elementsIn(reading, '[data-fields]')) {
      for (const field of fieldsOf(part)) {
        this.#parts[field].push(part);
      }
    }
  }

  start() {
    this.#reading.addEventListener('pointerover', (event) => {
      const field = this.#fieldAt(event.target);
      if (field === null) {
        this.#showDefault();
      } else {
        this.#show(field);
      }
    });
    this.#reading.addEventListener('pointerleave', () => this.#showDefault());
    this.#reading.addEventListener('focusin', () => this.#showDefault());
    this.#reading.addEventListener('focusout', () => this.#show(this.#pinned));
    this.#reading.addEventListener('click', (event) => {
      const field = this.#fieldAt(event.target);
      if (field !== null) {
        this.#pin(field);
      }
    });
    for (const list of elementsIn(this.#reading, '[role=listbox]')) {
      list.addEventListener('keydown', (event) => this.#onKey(list, event));
    }
  }

  /** The field with the focus, or else the pinned one, if there is any. */
  #showDefault() {
    const { activeElement } = document;
    const hasFocus = this.#reading.contains(activeElement);
    this.#show((hasFocus ? anchoredField(activeElement) : null) ?? this.#pinned);
  }

  /** @param {number | null} field */
  #show(field) {
    if (field === this.#shown) {
      return;
    }
    if (this.#shown !== null) {
      this.#mark(this.#shown, false);
    }
    if (field !== null) {
      this.#mark(field, true);
    }
    this.#shown = field;
    this.#reading.classList.toggle('has-lit', field !== null);
  }

  /**
   * @param {number} field
   * @param {boolean} isLit
   */
  #mark(field, isLit) {
    for (const part of this.#parts[field]) {
      part.classList.toggle('is-lit', isLit);
    }
    for (const option of elementsIn(this.#reading, `[role=option][data-anchor="${field}"]`)) {
      option.setAttribute('aria-selected', String(isLit));
    }
  }

  /**
   * Pins a field, or unpins it.
   *
   * @param {number} field
   */
  #pin(field) {
    this.#pinned = this.#pinned === field ? null : field;
    for (const button of elementsIn(this.#reading, '.field-name')) {
      button.setAttribute('aria-pressed', String(anchoredField(button) === this.#pinned));
    }
    this.#show(this.#pinned ?? field);
  }

  /**
   * The field that an event is about. For a part of several fields that is the one it is the anchor
   * of, or else the narrowest.
   *
   * @param {EventTarget | null} target
   */
  #fieldAt(target) {
    const part = target instanceof Element ? target.closest('[data-fields]') : null;
    const fields = part instanceof HTMLElement ? fieldsOf(part) : [];
    const anchored = fields.length > 1 ? anchoredField(part) : null;
    fields.sort((a, b) => this.#parts[a].length - this.#parts[b].length);
    return anchored ?? fields[0] ?? null;
  }

  /**
   * The arrow keys move through the fields of a listbox, of which one is in the tab order.
   *
   * @param {HTMLElement} list
   * @param {KeyboardEvent} event
   */
  #onKey(list, event) {
    const options = elementsIn(list, '[role=option]');
    const at = options.findIndex((option) => option === document.activeElement);
    if (at < 0) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#pin(Number(options[at].dataset.anchor));
      return;
    }
    const to = steppedTo(event.key, at, options.length - 1);
    if (to !== null) {
      event.preventDefault();
      options[at].tabIndex = -1;
      options[to].tabIndex = 0;
      options[to].focus();
    }
  }
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} last
 * @returns {number | null} null if the key does not move
 */
function steppedTo(key, at, last) {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(last, at + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** @param {HTMLElement} part */
function fieldsOf(part) {
  return part.dataset.fields?.split(' ').filter(Boolean).map(Number) ?? [];
}

/**
 * @param {Element | null} element
 * @returns {number | null} null if it is the anchor of no field
 */
function anchoredField(element) {
  const anchor = element instanceof HTMLElement ? element.dataset.anchor : undefined;
  return anchor === undefined ? null : Number(anchor);
}

/**
 * @param {Element} root
 * @param {string} selector
 */
function elementsIn(root, selector) {
  return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
}
