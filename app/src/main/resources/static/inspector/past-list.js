import { byId, button, element } from '../common/dom.js';

/**
 * The history: ids of the address, each with a button that shows it again. Nothing is kept unless it is switched on.
 */
export class PastList {
  #switch = byId('past-switch', HTMLInputElement);
  #list = byId('past-list');
  #open;

  /**
   * @param {() => void} onSwitch
   * @param {(id: string) => void} open
   */
  constructor(onSwitch, open) {
    this.#open = open;
    this.#switch.addEventListener('change', onSwitch);
  }

  get isOn() {
    return this.#switch.checked;
  }

  /** @param {string[]} past */
  show(past) {
    this.#list.replaceChildren(
      ...past.map((id) => {
        const made = button('past-id', id, () => this.#open(id), 'chip mono');
        return element('li', {}, made);
      }),
    );
  }

  /** @param {boolean} isOn */
  set isOn(isOn) {
    this.#switch.checked = isOn;
  }
}
