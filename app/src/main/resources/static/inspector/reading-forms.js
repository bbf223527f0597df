import { copyButton } from '../common/copy.js';
import { element } from '../common/dom.js';

/** Longer values have a line of their own, below the others. */
const SHORT_FORM_LENGTH_MAX = 56;

/**
 * The forms of an identifier, each with a button that copies it.
 *
 * @param {Record<string, string>} forms
 * @param {boolean} open
 */
export function formsElement(forms, open) {
  const ordered = Object.entries(forms)
    .map(([form, value]) => ({ form, text: String(value) }))
    .sort((a, b) => Number(isLong(a.text)) - Number(isLong(b.text)));
  return element(
    'details',
    { class: 'forms-box', open },
    element('summary', {}, 'Forms ', element('span', { class: 'hint' }, String(ordered.length))),
    element('dl', { class: 'forms' }, ...ordered.map(({ form, text }) => formElement(form, text))),
  );
}

/** @param {string} text */
function isLong(text) {
  return text.length > SHORT_FORM_LENGTH_MAX;
}

/**
 * @param {string} form
 * @param {string} text
 */
function formElement(form, text) {
  const value = element(
    'span',
    { 'class': 'mono form-value', 'data-testid': 'form-value', 'data-form': form },
    text,
  );
  return element(
    'div',
    { class: isLong(text) ? 'form is-long' : 'form' },
    element('dt', {}, form),
    element('dd', {}, value, copyButton(form, text)),
  );
}
