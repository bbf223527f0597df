import { element, textInput } from '../common/dom.js';

/** @import {Typed} from './pool-draft.js' */

/** @typedef {'lease' | 'quarantine' | 'history' | 'per_client' | 'per_owner' | 'thresholds'} Line */

/** @type {[name: Line, label: string, usual: string][]} */
const LINES = [
  ['lease', 'Lease', 'none'],
  ['quarantine', 'Quarantine', '0s'],
  ['history', 'History', '90d'],
  ['per_client', 'Values per client', '1'],
  ['per_owner', 'Values per owner', 'any number'],
  ['thresholds', 'Thresholds in percent', '80, 95'],
];

/** @type {[name: string, label: string, options: [value: string, name: string][]][]} */
const CHOICES = [
  [
    'order',
    'Order',
    [
      ['random', 'random'],
      ['ascending', 'lowest value first'],
    ],
  ],
  [
    'sticky',
    'A returning client gets its last value',
    [
      ['yes', 'yes'],
      ['no', 'no'],
    ],
  ],
  [
    'after_failover',
    'Free values after a failover',
    [
      ['quarantine', 'are quarantined'],
      ['stop', 'wait for a person'],
      ['trust', 'are granted at once'],
    ],
  ],
];

/** The fields of the settings of a pool, in the forms that create one and change one. */
export class SettingFields {
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  #controls = new Map();
  /** @type {HTMLElement[]} */
  roots = [];

  /**
   * @param {string} prefix of ids and test ids
   * @param {boolean} hasDefaults whether a field can be left to the default of the server
   */
  constructor(prefix, hasDefaults) {
    for (const [name, label, usual] of LINES) {
      this.#add(name, label, textInput(`${prefix}-${name}`, hasDefaults ? usual : ''));
    }
    for (const [name, label, options] of CHOICES) {
      const all = hasDefaults ? [['', 'default'], ...options] : options;
      const id = `${prefix}-${name}`;
      const control = element(
        'select',
        { id, 'data-testid': id },
        ...all.map(([value, text]) => element('option', { value }, text)),
      );
      this.#add(name, label, control);
    }
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {HTMLInputElement | HTMLSelectElement} control
   */
  #add(name, label, control) {
    this.#controls.set(name, control);
    this.roots.push(
      element('div', { class: 'field' }, element('label', { for: control.id }, label), control),
    );
  }

  /** @returns {Typed} */
  typed() {
    return Object.fromEntries([...this.#controls].map(([name, { value }]) => [name, value]));
  }

  /** @param {Typed} typed */
  fill(typed) {
    for (const [name, control] of this.#controls) {
      control.value = typed[name] ?? '';
    }
  }

  /** @param {string} name */
  focus(name) {
    this.#controls.get(name)?.focus();
  }
}
