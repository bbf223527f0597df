/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */

/**
 * Makes an element. Attributes that are null or false are left out; a function is the listener of
 * an `on...` attribute. Strings among the children become text nodes: no text is read as markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (typeof value === 'function') {
      made.addEventListener(name.slice('on'.length), value);
    } else {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A button with a test id.
 *
 * @param {string} testId
 * @param {string} name
 * @param {() => void} onclick
 * @param {string} [className]
 */
export function button(testId, name, onclick, className = 'quiet') {
  return element(
    'button',
    { 'type': 'button', 'class': className, 'data-testid': testId, onclick },
    name,
  );
}

/**
 * A button that asks the server to change something. It is disabled while the server is gone, so
 * nothing else disables it.
 *
 * @param {string} testId
 * @param {string} name
 * @param {() => void} onclick
 * @param {string} [className]
 */
export function changeButton(testId, name, onclick, className) {
  const made = button(testId, name, onclick, className);
  made.dataset.changes = '';
  return made;
}

/**
 * The same for the form that it is in.
 *
 * @param {string} testId
 * @param {string} name
 */
export function submitButton(testId, name) {
  const made = changeButton(testId, name, () => {}, 'primary');
  made.type = 'submit';
  return made;
}

/**
 * A one-line text input without completion, capitals or spell checking.
 *
 * @param {string} id also its test id
 * @param {string} [placeholder]
 */
export function textInput(id, placeholder) {
  return element('input', {
    id,
    'data-testid': id,
    'type': 'text',
    'class': 'mono',
    'autocomplete': 'off',
    'autocapitalize': 'off',
    'spellcheck': 'false',
    placeholder,
  });
}

/**
 * The element with this id, which index.html contains.
 *
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} id
 * @param {new () => Type} [type]
 * @returns {Type}
 */
export function byId(id, type = /** @type {any} */ (HTMLElement)) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) {
    throw new Error(`index.html has no ${type.name} #${id}`);
  }
  return found;
}

/**
 * Writes `text` only if it differs, so that screen readers do not repeat an unchanged live region.
 *
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/**
 * Announces `text` to screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  const announcer = byId('announcer');
  announcer.textContent = '';
  requestAnimationFrame(() => {
    announcer.textContent = text;
  });
}

/**
 * The children of an element, one for each item of a list. The element of an item stays the same
 * for as long as the item is in the list, so it keeps the focus.
 *
 * @template Item
 */
export class KeyedChildren {
  /** @type {Map<string, {root: Element, show: (item: Item) => void}>} */
  #views = new Map();
  #parent;
  #keyOf;
  #create;

  /**
   * @param {Element} parent
   * @param {(item: Item) => string} keyOf
   * @param {(item: Item) => {root: Element, show: (item: Item) => void}} create
   */
  constructor(parent, keyOf, create) {
    this.#parent = parent;
    this.#keyOf = keyOf;
    this.#create = create;
  }

  /** @param {Item[]} items */
  show(items) {
    const keys = new Set(items.map(this.#keyOf));
    for (const [key, view] of this.#views) {
      if (!keys.has(key)) {
        view.root.remove();
        this.#views.delete(key);
      }
    }
    items.forEach((item, at) => {
      const key = this.#keyOf(item);
      const view = this.#views.get(key) ?? this.#create(item);
      this.#views.set(key, view);
      const present = this.#parent.children[at] ?? null;
      if (present !== view.root) {
        this.#parent.insertBefore(view.root, present);
      }
      view.show(item);
    });
  }
}
