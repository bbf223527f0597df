import { button, changeButton, element, setText, textInput } from '../common/dom.js';
import { confirmingName, isConfirmedBy } from './phases.js';

/** @import {Migration} from './api.js' */

const WORDS = {
  rollback: {
    title: 'Roll back',
    about:
      'The old columns are restored, and rows that were written meanwhile are kept. The run can be paused and resumed, but it goes back only.',
  },
  contract: {
    title: 'Contract',
    about:
      'The old columns are dropped. This cannot be undone, and no rollback is possible from the first step on. Make sure that no code uses the old columns.',
  },
};

/** Asks for the name of the table before a rollback or a contraction. */
export class ConfirmDialog {
  #name = textInput('confirm-table');
  #message = element('p', { 'class': 'result', 'role': 'alert', 'data-testid': 'confirm-said' });
  #title = element('h2', { id: 'confirm-title' });
  #about = element('p');
  #label = element('label', { for: 'confirm-table' });
  #submit = changeButton('confirm-run', '', () => this.#run(), 'danger');
  #send;
  /** @type {Migration | null} */
  #migration = null;
  /** @type {'rollback' | 'contract'} */
  #command = 'rollback';
  root = element('dialog', { 'class': 'confirm-dialog', 'aria-labelledby': 'confirm-title' });

  /**
   * @param {(migration: number, command: 'rollback' | 'contract', table: string) => Promise<void>} send
   */
  constructor(send) {
    this.#send = send;
    this.#name.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        this.#run();
      }
    });
    this.root.append(
      this.#title,
      this.#about,
      this.#label,
      this.#name,
      this.#message,
      element(
        'p',
        { class: 'confirm-acts' },
        this.#submit,
        button('confirm-cancel', 'Cancel', () => this.root.close()),
      ),
    );
  }

  /**
   * @param {Migration} migration
   * @param {'rollback' | 'contract'} command
   */
  open(migration, command) {
    const { title, about } = WORDS[command];
    this.#migration = migration;
    this.#command = command;
    this.#name.value = '';
    setText(this.#message, '');
    setText(this.#title, `${title} migration ${migration.migration}`);
    setText(this.#about, about);
    setText(this.#label, `Type ${confirmingName(migration)} to confirm`);
    setText(this.#submit, title);
    this.root.showModal();
    this.#name.focus();
  }

  async #run() {
    const migration = this.#migration;
    if (!migration) {
      return;
    }
    if (!isConfirmedBy(migration, this.#name.value)) {
      setText(this.#message, `Type ${confirmingName(migration)}: nothing was done.`);
      this.#name.focus();
      return;
    }
    try {
      await this.#send(migration.migration, this.#command, this.#name.value.trim());
      this.root.close();
    } catch (error) {
      setText(this.#message, /** @type {Error} */ (error).message);
    }
  }
}
