import { element } from '../common/dom.js';
import { linkTo, TABS } from './pool-address.js';

/** @import {Tab} from './pool-address.js' */

/** @type {Readonly<Record<Tab, string>>} */
const NAMES = Object.freeze({
  map: 'Map',
  claims: 'Claims',
  usage: 'Use over time',
  history: 'History',
  quarantine: 'Quarantine',
  blocks: 'Blocks',
  settings: 'Settings',
});

/** The parts of a pool's page: a link to each, and the one that the address names. */
export class PoolTabs {
  #links = TABS.map((tab) => element('a', { 'data-testid': `tab-${tab}` }, NAMES[tab]));
  #panels;

  /** @param {Readonly<Record<Tab, HTMLElement>>} panels */
  constructor(panels) {
    this.#panels = panels;
    this.root = element(
      'div',
      {},
      element('nav', { 'class': 'tabs', 'aria-label': 'Parts of the pool' }, ...this.#links),
      ...TABS.map((tab) => panels[tab]),
    );
  }

  /**
   * @param {string} pool
   * @param {Tab} shown
   */
  show(pool, shown) {
    TABS.forEach((tab, at) => {
      const link = this.#links[at];
      link.setAttribute('href', linkTo(pool, tab));
      if (tab === shown) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
      this.#panels[tab].hidden = tab !== shown;
    });
  }
}
