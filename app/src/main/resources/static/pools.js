import { readAddress } from './address.js';
import { CellDetails } from './cell-details.js';
import { ClaimForm } from './claim-form.js';
import { ClaimsLoader } from './claims-loader.js';
import { claimRefused, claimsFiltered, claimsTurned, listedReleaseAsked } from './claims-state.js';
import {
  cellPinned,
  cellPointed,
  cellStepped,
  cellUnpinned,
  releaseAsked,
} from './cursor-state.js';
import { DetailsLoader } from './details-loader.js';
import { byId, element, setText } from './dom.js';
import { BlockTable } from './pool-blocks.js';
import { ClaimTable } from './pool-claims.js';
import { PoolCommands } from './pool-commands.js';
import { PoolList } from './pool-list.js';
import { PoolMap } from './pool-map.js';
import { PoolPager } from './pool-pager.js';
import { PoolPolling } from './pool-polling.js';
import {
  addressChanged,
  claimsPerSecond,
  countsOf,
  initialState,
  noticeOf,
  selectedPool,
} from './pool-state.js';
import { PoolSummary } from './pool-summary.js';
import { Store } from './store.js';

/**
 * @import {ConnectionBanner} from './connection-banner.js'
 * @import {PoolsState} from './pool-state.js'
 */

/**
 * @typedef {Store<PoolsState>} PoolStore
 * @typedef {ReturnType<typeof createViews>} Views
 */

/**
 * Starts the pools: a list, and of the selected pool the counts, a live map, the blocks and the
 * claims. Answers of the server and actions of the user change the store; the views show it.
 *
 * @param {ConnectionBanner} connection
 * @returns {{showOverview: () => void}}
 */
export function startPools(connection) {
  /** @type {PoolStore} */
  const store = new Store(initialState(currentAddress()));
  const polling = new PoolPolling(store, connection);
  const commands = new PoolCommands(
    store,
    polling,
    new ClaimsLoader(store),
    new DetailsLoader(store),
  );
  showPage(store);
  const views = createViews(store, commands);
  layOut(views);
  showPool(store, views);
  showMap(store, views);
  addEventListener('hashchange', () => followAddress(store, polling));
  return { showOverview: () => showOverview(store) };
}

function currentAddress() {
  return { pool: readAddress('pool'), id: readAddress('id') };
}

/**
 * @param {PoolStore} store
 * @param {PoolPolling} polling
 */
function followAddress(store, polling) {
  const before = store.state;
  store.update(addressChanged, currentAddress());
  const { selected, page } = store.state;
  if (selected !== before.selected || (page === 'pool' && before.page !== 'pool')) {
    scrollTo({ top: 0 });
    polling.reload();
  }
}

/** @param {PoolStore} store */
function showOverview(store) {
  if (store.state.page === 'pool') {
    location.hash = '';
    // The hashchange event comes too late for a caller that moves the focus to the overview.
    store.update(addressChanged, currentAddress());
  }
}

/** @param {PoolStore} store */
function showPage(store) {
  const list = new PoolList(byId('pool-list'));
  const notice = byId('pools-message');
  store.watch(
    ({ page, selected }) => [page, selected],
    (page, selected) => {
      document.body.dataset.page = page;
      document.title = page === 'pool' ? `${selected} · Mintmark` : 'Mintmark console';
    },
  );
  store.watch(
    ({ pools, selected }) => [pools, selected],
    (pools, selected) => list.show(pools ?? [], selected),
  );
  store.watch(
    (state) => [noticeOf(state)],
    (text) => setText(notice, text),
  );
}

/**
 * @param {PoolStore} store
 * @param {PoolCommands} commands
 */
function createViews(store, commands) {
  const form = new ClaimForm({
    onClaim: (wanted) => commands.claim(wanted),
    onInvalid: (message) => store.update(claimRefused, message),
  });
  const map = new PoolMap({
    onPoint: (index) => store.update(cellPointed, index),
    onSelect: (index) => store.update(cellPinned, index),
    onEnter: () => details.focusAction(),
  });
  const details = new CellDetails({
    onStep: (by) => store.update(cellStepped, by),
    onClose() {
      map.focus(store.state.cursor.pinned);
      store.update(cellUnpinned);
    },
    onClaim: (value) => form.prepare(value),
    onAskRelease: (isConfirming) => store.update(releaseAsked, isConfirming),
    onRelease: (claim) => commands.releaseShown(claim),
    onFocusLost: () => map.focus(store.state.cursor.pinned, { preventScroll: true }),
  });
  const pager = new PoolPager({
    onTurn: (by) => commands.turnWindow(by),
    onJump: (text) => commands.jump(text),
  });
  const claims = new ClaimTable({
    onFilter: (client) => store.update(claimsFiltered, client),
    onTurn: (by) => store.update(claimsTurned, by),
    onValue: (value) => commands.reveal(value),
    onRenew: (claim) => commands.renewListed(claim),
    onAskRelease: ({ token }, isConfirming) =>
      store.update(listedReleaseAsked, isConfirming ? token : null),
    onRelease: (claim) => commands.releaseListed(claim),
  });
  return {
    summary: new PoolSummary(),
    form,
    pager,
    map,
    details,
    blocks: new BlockTable(),
    claims,
  };
}

/** @param {Views} views */
function layOut({ summary, form, pager, map, details, blocks, claims }) {
  byId('pool').append(
    summary.root,
    element(
      'div',
      { class: 'workbench' },
      form.root,
      element('div', { class: 'map-box' }, pager.root, map.root),
      details.root,
    ),
    blocks.root,
    claims.root,
  );
}

/**
 * @param {PoolStore} store
 * @param {Views} views
 */
function showPool(store, { summary, form, pager, blocks, claims }) {
  const root = byId('pool');
  store.watch(
    (state) => [selectedPool(state), state.window.map],
    (pool, map) => {
      root.hidden = pool === null;
      if (pool) {
        summary.show(pool, countsOf(pool, map));
        form.show(pool);
        blocks.show(pool.utilisation);
      }
    },
  );
  store.watch(
    ({ selected }) => [selected],
    () => [form, pager, claims].forEach((view) => view.reset()),
  );
  store.watch(
    ({ samples }) => [claimsPerSecond(samples)],
    (perSecond) => summary.showRate(perSecond),
  );
  store.watch(
    ({ claimResult }) => [claimResult],
    (result) => form.showResult(result),
  );
  store.watch(
    (state) => [state.claims],
    (page) => claims.show(page),
  );
}

/**
 * @param {PoolStore} store
 * @param {Views} views
 */
function showMap(store, { map, pager, details }) {
  store.watch(
    ({ window }) => [window.map, window.cells],
    (states, cells) => {
      map.show(states, cells);
      if (states) {
        pager.show(states);
      }
    },
  );
  store.watch(
    ({ cursor }) => [cursor.pinned],
    (index) => map.select(index),
  );
  store.watch(
    ({ cursor }) => [cursor.revealed],
    (revealed) => {
      if (revealed) {
        map.scrollTo(revealed.index);
      }
    },
  );
  store.watch(
    ({ jumpMessage }) => [jumpMessage],
    (message) => pager.showMessage(message),
  );
  store.watch(
    (state) => [selectedPool(state), state.details],
    (pool, shown) => details.show(pool, shown),
  );
}
