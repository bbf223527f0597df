import { announce, element } from './dom.js';

const COPIED_MILLIS = 1_500;

/**
 * A button that copies a text.
 *
 * @param {string} form what the text is, for screen readers
 * @param {string} text
 */
export function copyButton(form, text) {
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

/**
 * A text to copy, such as SQL or a command, with its button.
 *
 * @param {string} testId
 * @param {string} text
 * @param {string} what for screen readers: `the SQL of public.orders.id`
 */
export function copyable(testId, text, what) {
  return element(
    'div',
    { class: 'copyable' },
    element(
      'pre',
      { 'class': 'mono', 'data-testid': testId, 'tabindex': '0', 'aria-label': what },
      text,
    ),
    copyButton(what, text),
  );
}
