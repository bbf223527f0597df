import { button, byId, element, setText } from '../common/dom.js';
import { onSignedOut } from '../common/http.js';
import { readSession, signIn, signOut } from './api.js';

/** @import {Key} from './api.js' */

/**
 * Asks for a key if the server requires one and the browser has no session.
 *
 * @returns {Promise<boolean>} whether the views can be shown; they are, too, if the server cannot
 *     be reached: each says so itself
 */
export async function signedIn() {
  onSignedOut(() => ask());
  try {
    const { accounts, key } = await readSession();
    if (key) {
      showHolder(key);
    }
    if (accounts && !key) {
      ask();
      return false;
    }
  } catch {
    return true;
  }
  return true;
}

/** @param {Key} key */
function showHolder({ name, owner }) {
  const leave = async () => {
    await signOut();
    location.reload();
  };
  byId('holder').replaceChildren(
    element('span', { 'data-testid': 'holder' }, owner ? `${name} (${owner})` : name),
    button('sign-out', 'Sign out', leave),
  );
}

/** Shows the form in the place of the views. */
function ask() {
  const place = byId('sign-in');
  if (!place.hidden) {
    return;
  }
  const input = element('input', {
    'id': 'sign-in-key',
    'data-testid': 'sign-in-key',
    'type': 'password',
    'class': 'mono',
    'autocomplete': 'current-password',
    'spellcheck': 'false',
    'placeholder': 'mmk_…',
    'aria-describedby': 'sign-in-said',
  });
  const said = element('p', {
    'id': 'sign-in-said',
    'class': 'result',
    'role': 'alert',
    'data-testid': 'sign-in-said',
  });
  const enter = async () => {
    try {
      await signIn(input.value.trim());
      location.reload();
    } catch (error) {
      said.dataset.outcome = 'refused';
      setText(said, /** @type {Error} */ (error).message);
      input.focus();
    }
  };
  place.replaceChildren(
    element('h1', { id: 'sign-in-title' }, 'Sign in'),
    element(
      'form',
      {
        'class': 'panel line-form',
        'aria-labelledby': 'sign-in-title',
        'novalidate': true,
        'onsubmit': (event) => {
          event.preventDefault();
          enter();
        },
      },
      element(
        'div',
        { class: 'field' },
        element('label', { for: 'sign-in-key' }, 'API key'),
        input,
      ),
      element(
        'button',
        { 'type': 'submit', 'class': 'primary', 'data-testid': 'sign-in-submit' },
        'Sign in',
      ),
      said,
    ),
    element(
      'p',
      { class: 'hint' },
      'An administrator makes keys with ',
      element('code', {}, 'mintmark key create'),
      '. The key is not kept in the browser: it is exchanged for a session of 12 hours at most.',
    ),
  );
  place.hidden = false;
  document.body.classList.add('is-signed-out');
  input.focus();
}
