import { byId, setText } from '../common/dom.js';
import { Store } from '../common/store.js';
import { setTitle } from '../views.js';
import { ClaimsLoader } from './claims-loader.js';
import { CreatePool } from './create-pool.js';
import { DetailsLoader } from './details-loader.js';
import { currentAddress, writeValue } from './pool-address.js';
import { PoolCommands } from './pool-commands.js';
import { PoolList } from './pool-list.js';
import { createViews, layOut, showMap, showPool } from './pool-page.js';
import { PoolPolling } from './pool-polling.js';
import { addressChanged, initialState, noticeOf, selectedPool } from './pool-state.js';
import { PoolTabs } from './pool-tabs.js';
import { PoolWatch } from './pool-watch.js';

/**
 * @import {ConnectionBanner} from '../connection-banner.js'
 * @import {PoolsState} from './pool-state.js'
 * @import {View} from '../views.js'
 */

/** @typedef {Store<PoolsState>} PoolStore */

/**
 * Starts the pools: a list of all, and a page for each with its counts and tabs. Answers of the
 * server and actions of the user change the store; the views show it.
 *
 * @param {ConnectionBanner} connection
 * @returns {View}
 */
export function startPools(connection) {
  /** @type {PoolStore} */
  const store = new Store(initialState(currentAddress()));
  const polling = new PoolPolling(store, connection);
  const watch = new PoolWatch({
    onPool: (pool) => polling.changed(pool),
    onLost: () => polling.unwatched(),
  });
  const commands = new PoolCommands(
    store,
    polling,
    new ClaimsLoader(store),
    new DetailsLoader(store),
  );
  const views = createViews(store, commands, () => polling.reload());
  showOverview(store);
  showPage(store, layOut(views));
  showPool(store, views);
  showMap(store, views);
  let isShown = false;
  const watchSelected = () => watch.open((isShown && selectedPool(store.state)?.name) || null);
  store.watch((state) => [selectedPool(state)?.name], watchSelected);
  return {
    follow() {
      isShown = true;
      followAddress(store, polling, commands);
      polling.resume();
      watchSelected();
    },
    leave() {
      isShown = false;
      watchSelected();
      polling.pause();
    },
  };
}

/**
 * @param {PoolStore} store
 * @param {PoolPolling} polling
 * @param {PoolCommands} commands
 */
function followAddress(store, polling, commands) {
  const before = store.state;
  store.update(addressChanged, currentAddress());
  const { selected, tab, value, range, window, cursor } = store.state;
  setTitle(selected ?? 'Pools');
  if (selected !== before.selected) {
    scrollTo({ top: 0 });
  }
  if (selected !== before.selected || tab !== before.tab || range !== before.range) {
    polling.reload();
  }
  if (tab === 'map' && value && value !== window.cells[cursor.pinned ?? -1]?.value) {
    commands.reveal(value);
  }
}

/** @param {PoolStore} store */
function showOverview(store) {
  const overview = byId('pools-overview');
  const list = new PoolList();
  const create = new CreatePool();
  overview.append(list.root, create.root);
  const notice = byId('pools-message');
  store.watch(
    ({ page }) => [page],
    (page) => {
      document.body.dataset.page = page;
      overview.hidden = page !== 'overview';
    },
  );
  store.watch(
    ({ pools }) => [pools],
    (pools) => list.show(pools ?? []),
  );
  store.watch(
    ({ pools, unreachable }) => [pools?.length === 0 && unreachable.length === 0],
    (isEmpty) => isEmpty && create.open(),
  );
  store.watch(
    (state) => [noticeOf(state)],
    (text) => setText(notice, text),
  );
}

/**
 * @param {PoolStore} store
 * @param {PoolTabs} tabs
 */
function showPage(store, tabs) {
  store.watch(
    ({ selected, tab }) => [selected, tab],
    (selected, tab) => tabs.show(selected ?? '', tab),
  );
  store.watch(
    ({ value }) => [value],
    (value) => writeValue(value),
  );
}
