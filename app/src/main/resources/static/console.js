import { byId, setText } from './dom.js';
import { startInspector } from './inspector.js';
import { startPools } from './pools.js';
import { keepRelativeTimesTrue } from './time.js';

/**
 * In-page links move the focus but leave the fragment alone: it says what is shown, see address.js.
 */
function startInPageLinks() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll('a[href^="#"]')
  )) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      leavePoolPage();
      const target = byId(link.hash.slice(1));
      target.focus({ preventScroll: true });
      target.scrollIntoView();
    });
  }
}

/** Back to the overview, which has what the page of a pool leaves out. */
function leavePoolPage() {
  if (document.body.dataset.page === 'pool') {
    document.body.dataset.page = 'overview';
    location.hash = '';
  }
}

/** The banner for a server that is gone; `pools` notices first because it keeps asking. */
function startConnection() {
  const banner = byId('connection-lost');
  const detail = byId('connection-detail');
  let answeredAt = new Date();
  return {
    retry: byId('connection-retry'),
    answered() {
      answeredAt = new Date();
      banner.hidden = true;
      document.body.classList.remove('is-stale');
    },
    /**
     * @param {Error} error
     * @param {number} waitMillis
     */
    lost(error, waitMillis) {
      setText(
        detail,
        `${error.message} What is shown is as of ${answeredAt.toISOString().slice(11, 19)} UTC;` +
          ` asking again every ${waitMillis / 1000} s.`,
      );
      banner.hidden = false;
      document.body.classList.add('is-stale');
    },
  };
}

startInPageLinks();
startInspector();
startPools(startConnection());
keepRelativeTimesTrue();
