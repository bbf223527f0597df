import { announce, element } from './dom.js';

/** Longer values have a line of their own, below the others. */
const SHORT_FORM_LENGTH_MAX = 56;
const COPIED_MILLIS = 1_500;

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

/**
 * @param {string} form
 * @param {string} text
 */
function copyButton(form, text) {
  const button = element(
    'button',
    { 'type': 'button', 'class': 'copy', 'aria-label': `Copy ${form}` },
    'Copy',
  );
  button.addEventListener('click', async () => {
    const isCopied = await copy(text);
    button.textContent = isCopied ? 'Copied' : 'Failed';
    announce(isCopied ? `${form} copied` : `${form} could not be copied`);
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MILLIS);
  });
  return button;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/**
 * Copies without the clipboard API, which a page without TLS has on localhost only.
 *
 * @param {string} text
 */
function copyBySelection(text) {
  const area = element('textarea', { class: 'visually-hidden', readonly: true });
  area.value = text;
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) {
    focused.focus();
  }
  return isCopied;
}
