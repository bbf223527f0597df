import { button, element, setText, submitButton, textInput } from '../common/dom.js';
import { labelLines, typedNote } from './claim-note.js';

/** @import {Claim} from './api.js' */

/** A dialog that edits the labels, the DNS name and the description of a claim. */
export class NoteEditor {
  #title = element('h2', { id: 'note-title', class: 'panel-title' });
  #labels = element('textarea', {
    'id': 'note-labels',
    'data-testid': 'note-labels',
    'class': 'mono',
    'rows': 5,
    'spellcheck': 'false',
    'aria-describedby': 'note-labels-hint',
  });
  #dnsName = textInput('note-dns-name');
  #description = textInput('note-description');
  #result = element('p', { 'class': 'result', 'role': 'status', 'data-testid': 'note-said' });
  /** @type {Claim | null} */
  #claim = null;
  #save;

  /**
   * @param {(claim: Claim, note: ReturnType<typeof typedNote>) => Promise<void>} save fails with
   *     what is to be said
   */
  constructor(save) {
    this.#save = save;
    this.root = element(
      'dialog',
      { 'class': 'note-editor', 'aria-labelledby': 'note-title' },
      element(
        'form',
        {
          novalidate: true,
          onsubmit: (event) => {
            event.preventDefault();
            this.#onSubmit();
          },
        },
        this.#title,
        field('note-labels', 'Labels', this.#labels),
        element('p', { id: 'note-labels-hint', class: 'hint' }, 'One key:value on each line.'),
        field('note-dns-name', 'DNS name', this.#dnsName),
        field('note-description', 'Description', this.#description),
        element(
          'div',
          { class: 'note-actions' },
          submitButton('note-save', 'Save'),
          button('note-cancel', 'Cancel', () => this.root.close()),
        ),
        this.#result,
      ),
    );
  }

  /** @param {Claim} claim with its note */
  open(claim) {
    const { note } = claim;
    this.#claim = claim;
    setText(this.#title, `${claim.value}, held by ${claim.client}`);
    this.#labels.value = note ? labelLines(note) : '';
    this.#dnsName.value = note?.dns_name ?? '';
    this.#description.value = note?.description ?? '';
    this.#say('');
    this.root.showModal();
    this.#labels.focus();
  }

  async #onSubmit() {
    const claim = this.#claim;
    if (!claim) {
      return;
    }
    try {
      const { value: lines } = this.#labels;
      const note = typedNote(lines, this.#dnsName.value, this.#description.value);
      await this.#save(claim, note);
      this.root.close();
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text */
  #say(text) {
    this.#result.dataset.outcome = text ? 'refused' : '';
    setText(this.#result, text);
  }
}

/**
 * @param {string} id
 * @param {string} name
 * @param {HTMLElement} input
 */
function field(id, name, input) {
  return element('div', { class: 'field' }, element('label', { for: id }, name), input);
}
