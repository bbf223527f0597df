import { byId, element, textInput } from '../common/dom.js';
import { MINTED_WITH_SETTINGS, mintBody } from './minting.js';

/** @import {MintBody, Setting} from './minting.js' */

/** Asks for the settings of a kind that requires some, and mints one. */
export class MintForm {
  #kind = byId('mint-kind', HTMLSelectElement);
  #settings = byId('mint-settings');
  /** @type {Map<Setting['key'], HTMLInputElement>} */
  #inputs = new Map();

  /** @param {(body: MintBody) => void} mint */
  constructor(mint) {
    this.#kind.append(
      ...MINTED_WITH_SETTINGS.map(({ kind, name }) => element('option', { value: kind }, name)),
    );
    this.#kind.addEventListener('change', () => this.#showSettings());
    byId('mint-form').addEventListener('submit', (event) => {
      event.preventDefault();
      const entered = [...this.#inputs].map(([key, input]) => [key, input.value.trim()]);
      mint(mintBody(this.#kind.value, Object.fromEntries(entered)));
    });
    this.#showSettings();
  }

  #showSettings() {
    const settings = MINTED_WITH_SETTINGS.find(({ kind }) => kind === this.#kind.value)?.settings;
    this.#inputs = new Map();
    this.#settings.replaceChildren(
      ...(settings ?? []).map(({ key, label, preset }) => {
        const input = textInput(`mint-${key}`);
        input.value = preset;
        this.#inputs.set(key, input);
        return element('label', { for: input.id }, label, input);
      }),
    );
  }
}
