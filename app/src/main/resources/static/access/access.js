import { byId, element } from '../common/dom.js';
import { readSession } from './api.js';
import { Audit } from './audit.js';
import { Keys } from './keys.js';

/** @import {View} from '../views.js' */

/**
 * Starts the view of keys and of the audit.
 *
 * @returns {View}
 */
export function startAccess() {
  const keys = new Keys();
  const audit = new Audit();
  const without = withoutAccounts();
  keys.root.hidden = true;
  byId('access-content').append(without, keys.root, audit.root);
  return {
    async follow() {
      audit.load();
      const accounts = await areAccountsOn();
      if (accounts === null) {
        return;
      }
      without.hidden = accounts;
      keys.root.hidden = !accounts;
      if (accounts) {
        keys.load();
      }
    },
  };
}

/** Whether the server requires keys; null if it cannot be reached, which the audit says. */
async function areAccountsOn() {
  try {
    return (await readSession()).accounts;
  } catch {
    return null;
  }
}

function withoutAccounts() {
  return element(
    'p',
    { 'class': 'notice', 'data-testid': 'without-accounts', 'hidden': true },
    'This server has no accounts: every program of this machine may use it. The first key is created on the command line: ',
    element('code', {}, 'mintmark key create --admin'),
    '. From then on every request needs a key.',
  );
}
