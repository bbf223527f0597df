import { byId, element } from '../common/dom.js';
import { CellDetails } from './cell-details.js';
import { ClaimForm } from './claim-form.js';
import { claimRefused, claimsSearched, claimsTurned, listedReleaseAsked } from './claims-state.js';
import {
  cellPinned,
  cellPointed,
  cellStepped,
  cellUnpinned,
  releaseAsked,
} from './cursor-state.js';
import { NoteEditor } from './note-editor.js';
import { FreeValues } from './free-values.js';
import { linkTo } from './pool-address.js';
import { BlockTable } from './pool-blocks.js';
import { ClaimTable } from './pool-claims.js';
import { PoolCommands } from './pool-commands.js';
import { PoolDensity } from './pool-density.js';
import { PoolHistory } from './pool-history.js';
import { PoolMap } from './pool-map.js';
import { PoolPager } from './pool-pager.js';
import { PoolQuarantine } from './pool-quarantine.js';
import { PoolSettings } from './pool-settings.js';
import { claimsPerSecond, countsOf, isLarge, selectedPool, showsDensity } from './pool-state.js';
import { PoolSummary } from './pool-summary.js';
import { PoolTabs } from './pool-tabs.js';
import { PoolTransfer } from './pool-transfer.js';
import { PoolUsage } from './pool-usage.js';

/**
 * The page of a pool: its parts, and what of the state each of them shows.
 *
 * @import {PoolStore} from './pools.js'
 * @typedef {ReturnType<typeof createViews>} Views
 */

/**
 * @param {PoolStore} store
 * @param {PoolCommands} commands
 * @param {() => void} onChange called after a change of the pool itself
 */
export function createViews(store, commands, onChange) {
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
    onHeld: (direction) => commands.revealHeld(direction),
  });
  const noteEditor = new NoteEditor((claim, note) => commands.labelListed(claim, note));
  const claims = new ClaimTable({
    onFind: (search) => store.update(claimsSearched, search),
    onTurn: (by) => store.update(claimsTurned, by),
    onRenew: (claim) => commands.renewListed(claim),
    onEditNote: (claim) => noteEditor.open(claim),
    onAskRelease: ({ token }, isConfirming) =>
      store.update(listedReleaseAsked, isConfirming ? token : null),
    onRelease: (claim) => commands.releaseListed(claim),
  });
  claims.root.append(noteEditor.root);
  return {
    summary: new PoolSummary(),
    form,
    free: new FreeValues((value) => form.prepare(value)),
    pager,
    density: new PoolDensity(),
    map,
    details,
    claims,
    transfer: new PoolTransfer(onChange),
    // Tabs that load what they show themselves
    tabs: {
      usage: new PoolUsage(),
      history: new PoolHistory(),
      quarantine: new PoolQuarantine(onChange),
      blocks: new BlockTable(onChange),
      settings: new PoolSettings(onChange),
    },
  };
}

/** @param {Views} views */
export function layOut(views) {
  const { summary, form, free, pager, density, map, details, claims, transfer } = views;
  const others = views.tabs;
  const mapBox = element('div', { class: 'map-box' }, pager.root, density.root, map.root);
  const tabs = new PoolTabs({
    map: element(
      'div',
      { class: 'workbench' },
      element('div', { class: 'claim-box' }, form.root, free.root),
      mapBox,
      details.root,
    ),
    claims: element('div', {}, claims.root, transfer.root),
    usage: others.usage.root,
    history: others.history.root,
    quarantine: others.quarantine.root,
    blocks: others.blocks.root,
    settings: others.settings.root,
  });
  byId('pool').append(summary.root, tabs.root);
  return tabs;
}

/**
 * @param {PoolStore} store
 * @param {Views} views
 */
export function showPool(store, { summary, form, free, pager, claims, transfer, tabs }) {
  const root = byId('pool');
  store.watch(
    // Other tabs do not load the map again: the one of before would be older than the pool.
    (state) => [selectedPool(state), state.tab === 'map' ? state.window.map : null],
    (pool, map) => {
      root.hidden = pool === null;
      if (pool) {
        summary.show(pool, countsOf(pool, map));
        form.show(pool);
        free.show(pool.name);
      }
    },
  );
  store.watch(
    (state) => [selectedPool(state), state.tab],
    (pool, tab) => {
      if (pool && tab in tabs) {
        tabs[/** @type {keyof typeof tabs} */ (tab)].show(pool);
      }
    },
  );
  store.watch(
    ({ selected }) => [selected],
    (pool) => {
      [form, pager, claims].forEach((view) => view.reset());
      transfer.show(pool ?? '');
    },
  );
  store.watch(
    ({ tab, samples }) => [tab === 'map', claimsPerSecond(samples)],
    (isKnown, perSecond) => summary.showRate(isKnown, perSecond),
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
export function showMap(store, { map, density, pager, details }) {
  store.watch(
    (state) => [showsDensity(state), state.selected, state.range, state.density],
    (isShown, pool, range, shown) => {
      density.root.hidden = !isShown;
      map.root.hidden = isShown;
      const isLargePool = isLarge(selectedPool(store.state));
      pager.showDensity(isLargePool ? linkTo(pool ?? '') : '', isShown);
      if (isShown) {
        density.show(pool ?? '', range, shown);
      }
    },
  );
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
