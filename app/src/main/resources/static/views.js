import { readAddress } from './common/address.js';
import { byId } from './common/dom.js';

/**
 * A view is a section of index.html, of which one is shown at a time. The fragment of the address
 * says which: `#view=compare`. Without `view`, `#pool=NAME` shows the pools and everything else the
 * inspector.
 *
 * @typedef {object} View
 * @property {() => void} follow shows what the address says; called when the view is shown, and
 *     whenever the address changes while it is
 * @property {() => void} [leave] called when another view is shown: stops polling
 */

/**
 * Starts each view when it is first shown, and shows the one that the address names.
 *
 * @param {Record<string, () => View>} starts for each view what starts it, by the id of its section
 * @param {() => void} onLeave called when a view is left for another one
 */
export function startViews(starts, onLeave) {
  /** @type {Map<string, View>} */
  const started = new Map();
  let shown = '';

  function follow() {
    const name = viewOf(Object.keys(starts));
    if (name !== shown) {
      started.get(shown)?.leave?.();
      onLeave();
      show(name);
      shown = name;
    }
    const view = started.get(name) ?? starts[name]();
    started.set(name, view);
    view.follow();
  }

  addEventListener('hashchange', follow);
  follow();
}

/**
 * @param {string[]} names
 * @returns {string}
 */
function viewOf(names) {
  const named = readAddress('view');
  if (named !== null && names.includes(named)) {
    return named;
  }
  return readAddress('pool') !== null && readAddress('id') === null ? 'pools' : 'inspector';
}

/** @param {string} name */
function show(name) {
  for (const section of document.querySelectorAll('main > section')) {
    if (section instanceof HTMLElement) {
      section.hidden = section.id !== name;
    }
  }
  for (const link of document.querySelectorAll('.masthead nav a')) {
    if (link instanceof HTMLAnchorElement) {
      if (link.hash === `#view=${name}`) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
    }
  }
  document.body.dataset.view = name;
  setTitle(byId(`${name}-title`).textContent);
  scrollTo({ top: 0 });
}

/**
 * Sets the title of the window.
 *
 * @param {string | null} subject what the view shows
 */
export function setTitle(subject) {
  document.title = subject ? `${subject} · Mintmark` : 'Mintmark';
}
