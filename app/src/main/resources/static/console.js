import { ConnectionBanner } from './connection-banner.js';
import { byId } from './dom.js';
import { Inspector } from './inspector.js';
import { startPools } from './pools.js';
import { startRelativeTimes } from './time.js';

/**
 * In-page links move the focus, but not the fragment of the address: that says what is shown, see
 * address.js.
 *
 * @param {() => void} showOverview
 */
function startInPageLinks(showOverview) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll('a[href^="#"]')
  )) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const target = byId(link.hash.slice('#'.length));
      // On the page of a pool, a skip link stays there if its target is visible.
      if (!link.classList.contains('skip') || !target.checkVisibility()) {
        showOverview();
      }
      target.focus({ preventScroll: true });
      target.scrollIntoView();
    });
  }
}

startInPageLinks(() => pools.showOverview());
new Inspector().start();
const pools = startPools(new ConnectionBanner());
startRelativeTimes();
