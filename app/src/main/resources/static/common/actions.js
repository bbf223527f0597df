import { element } from './dom.js';

/**
 * A row of buttons that is replaced as a whole, and only when its key changes, so that the focus
 * stays where it is while nothing changes.
 */
export class Actions {
  #key = '';
  #onFocusLost;

  /**
   * @param {keyof HTMLElementTagNameMap} tag
   * @param {string} className
   * @param {() => void} [onFocusLost] the button with the focus is gone, and no other has it now
   */
  constructor(tag, className, onFocusLost = () => {}) {
    this.root = element(tag, { class: className });
    this.#onFocusLost = onFocusLost;
  }

  /**
   * If a button that is replaced has the focus, `next` gets it.
   *
   * @param {string} key
   * @param {() => {content: Node[], next?: HTMLElement, takesFocus?: boolean}} make
   */
  show(key, make) {
    if (key === this.#key) {
      return;
    }
    this.#key = key;
    const hadFocus = this.root.contains(document.activeElement);
    const { content, next, takesFocus } = make();
    this.root.replaceChildren(...content);
    if (next && (hadFocus || takesFocus)) {
      next.focus();
    } else if (hadFocus) {
      this.#onFocusLost();
    }
  }

  /** Moves the focus to the first button, if there is one. */
  focus() {
    this.root.querySelector('button')?.focus();
  }
}

/**
 * Calls `cancel` when Escape is pressed in an element.
 *
 * @template {HTMLElement} Type
 * @param {Type} root
 * @param {() => void} cancel
 * @returns {Type}
 */
export function onEscape(root, cancel) {
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      cancel();
    }
  });
  return root;
}
