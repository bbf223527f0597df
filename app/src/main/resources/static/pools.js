import { readAddress } from './address.js';
import { ask, isOutage } from './api.js';
import { CellDetails } from './cell-details.js';
import { ClaimForm } from './claim-form.js';
import { byId, counted, element, setText } from './dom.js';
import { poll } from './poll.js';
import { barElements, STATES } from './pool-bar.js';
import { BlockTable } from './pool-blocks.js';
import { ClaimTable } from './pool-claims.js';
import { PoolMap } from './pool-map.js';
import { canonical } from './values.js';

const MAP_EVERY_MILLIS = 500;
const POOLS_EVERY_MILLIS = 2_000;
const CLAIM_AGES_MILLIS = 5_000;
const WINDOW_CELLS_MAX = 4_096;
const RATE_OVER_MILLIS = 5_000;
/** Maps go so far, and pools may go on. */
const POSITIONS_MAX = 2 ** 63;
/**
 * The pools: a list, and of the selected one how it stands, a live map, its blocks and its claims.
 * A pool has a page of its own at `#pool=NAME`, without the list and the inspector.
 *
 * @param {object} connection
 * @param {() => void} connection.answered
 * @param {(error: Error, waitMillis: number) => void} connection.lost
 * @param {HTMLElement} connection.retry
 */
export function startPools(connection) {
  const message = byId('pools-message');
  const list = byId('pool-list');
  const view = byId('pool');

  /** @type {any[]} */
  let pools = [];
  let poolsAt = -Infinity;
  let selected = readAddress('pool');
  let from = 0;
  /** Whether the map has all values, so that the counts can be taken from it, which is sooner. */
  let isShownWhole = false;
  let etag = '';
  /** The value whose details stay when the mouse leaves the map. */
  let pinned = -1;
  let pinnedAt = 0;
  /** A value to select as soon as the window that has it is here. */
  let sought = /** @type {string | null} */ (null);
  /** @type {{at: number, granted: number}[]} */
  let seen = [];

  const items = new Map();
  const summary = summaryElements();
  const pager = pagerElements({
    onPage: (by) => openWindow(from + by * WINDOW_CELLS_MAX),
    onJump: jump,
  });
  const mapRoot = element('div', { 'class': 'map', 'role': 'grid', 'data-testid': 'pool-map' });
  const map = new PoolMap(mapRoot, {
    onPoint: point,
    onSelect: pin,
    onEnter: () => details.focusAction(),
  });
  const details = new CellDetails({
    onStep: step,
    onClose: unpin,
    onReleased: refresh,
    onClaim: (value) => form.name(value),
  });
  const blocks = new BlockTable();
  const claims = new ClaimTable({ onChanged: refresh, onValue: find });
  const form = new ClaimForm({
    onClaimed(claim) {
      if (map.indexOfValue(claim.value) < 0) {
        openAt(claim.value);
      } else {
        sought = claim.value;
      }
      refresh();
    },
  });
  view.append(
    summary.root,
    element(
      'div',
      { class: 'workbench' },
      form.root,
      element('div', { class: 'map-box' }, pager.root, mapRoot),
      details.root,
    ),
    blocks.root,
    claims.root,
  );

  const current = () => pools.find(({ name }) => name === selected);

  const polling = poll(tick, {
    everyMillis: MAP_EVERY_MILLIS,
    onAnswer: connection.answered,
    onError(error, waitMillis) {
      if (isOutage(error)) {
        connection.lost(error, waitMillis);
      } else {
        connection.answered();
        setText(message, error.message);
      }
      seen = [];
      etag = '';
      poolsAt = -Infinity;
    },
  });
  connection.retry.addEventListener('click', polling.now);
  addEventListener('hashchange', () => {
    showPage();
    const name = readAddress('pool');
    if (name && name !== selected) {
      select(name);
      scrollTo({ top: 0 });
    }
  });
  showPage();

  function showPage() {
    const name = readAddress('pool');
    const isPage = name !== null && readAddress('id') === null;
    document.body.dataset.page = isPage ? 'pool' : 'overview';
    document.title = isPage ? `${name} · Mintmark` : 'Mintmark console';
  }

  async function tick(signal) {
    if (performance.now() - poolsAt >= POOLS_EVERY_MILLIS) {
      const { body } = await ask(['pools'], {}, { signal });
      poolsAt = performance.now();
      showPools(body.pools);
    }
    if (!current()) {
      return;
    }
    const answer = await ask(
      ['pools', selected ?? '', 'map'],
      // Exact also where a position has more digits than JavaScript writes of a number.
      { from: BigInt(from).toString(), limit: WINDOW_CELLS_MAX },
      { signal, headers: etag ? { 'if-none-match': etag } : {} },
    );
    if (answer.status === 304) {
      countClaims(0);
    } else {
      etag = answer.headers.get('etag') ?? '';
      showMap(answer.body);
    }
    keepPinnedTrue();
    setText(message, '');
  }

  function showPools(told) {
    pools = told;
    if (!current()) {
      if (selected !== null && document.body.dataset.page === 'pool') {
        view.hidden = true;
        setText(message, `There is no pool “${selected}”.`);
        return;
      }
      selected = pools[0]?.name ?? null;
      resetWindow(0);
    }
    for (const [name, item] of items) {
      if (!pools.some((pool) => pool.name === name)) {
        item.root.remove();
        items.delete(name);
      }
    }
    pools.forEach((pool, at) => {
      if (!items.has(pool.name)) {
        items.set(pool.name, itemElements(pool.name));
      }
      const item = items.get(pool.name);
      if (list.children[at] !== item.root) {
        list.insertBefore(item.root, list.children[at] ?? null);
      }
      item.show(pool, pool.name === selected);
    });
    const pool = current();
    view.hidden = !pool;
    if (!pool) {
      setText(message, 'There is no pool yet. Declare one under “pools:” in mintmark.yaml.');
      return;
    }
    form.aim(pool);
    summary.describe(pool);
    if (!isShownWhole) {
      summary.count(pool);
    }
    blocks.show(pool.utilisation);
    claims.aim(pool.name);
    claims.refresh();
  }

  function showMap(told) {
    const { granted, changed } = map.show(told);
    countClaims(granted);
    pager.show(told);
    mapRoot.removeAttribute('aria-busy');
    isShownWhole = told.count === told.total;
    if (isShownWhole) {
      summary.count(countsOf(told.states));
    }
    if (sought !== null) {
      const index = map.indexOfValue(sought);
      if (index >= 0) {
        sought = null;
        pin(index);
        map.scrollTo(index);
      }
    }
    if (changed.includes(pinned)) {
      showPinned();
    }
  }

  function select(name) {
    selected = name;
    pager.reset();
    resetWindow(0);
    if (pools.length) {
      showPools(pools);
    }
    refresh();
  }

  function resetWindow(start) {
    from = start;
    isShownWhole = false;
    etag = '';
    pinned = -1;
    seen = [];
    details.clear();
    mapRoot.setAttribute('aria-busy', 'true');
  }

  function openWindow(start) {
    resetWindow(Math.max(0, start));
    polling.now();
  }

  /** Opens the window that has the value; says so if the pool has no such value. */
  async function openAt(value) {
    const pool = selected;
    try {
      const { body } = await ask(['pools', pool ?? '', 'map'], { value, limit: WINDOW_CELLS_MAX });
      if (pool === selected) {
        openWindow(body.from);
        sought = value;
      }
    } catch (error) {
      pager.say(/** @type {Error} */ (error).message);
    }
  }

  /** Selects a value, wherever in the pool it is. */
  function find(value) {
    pager.say('');
    const index = map.indexOfValue(value);
    if (index >= 0) {
      pin(index);
      map.scrollTo(index);
    } else {
      openAt(value);
    }
  }

  function jump(text) {
    const wanted = text.trim();
    if (wanted) {
      find(canonical(wanted));
    } else {
      pager.say('Nothing is not a value of this pool.');
    }
  }

  function refresh() {
    poolsAt = -Infinity;
    polling.now();
  }

  function pin(index) {
    pinned = index;
    map.select(index);
    showPinned({ refresh: true });
  }

  function unpin() {
    map.focus(pinned);
    pinned = -1;
    map.select(-1);
    details.clear();
  }

  /** The mouse over a cell shows it in passing, unless a question about another waits for an answer. */
  function point(index) {
    if (details.isAsking) {
      return;
    }
    if (index === null) {
      showPinned();
    } else {
      showDetails(index, { pause: true });
    }
  }

  function step(by) {
    pin(Math.max(0, Math.min(map.size - 1, pinned + by)));
    map.scrollTo(pinned);
  }

  function showPinned(how = {}) {
    if (pinned < 0) {
      details.clear();
    } else {
      pinnedAt = performance.now();
      showDetails(pinned, how);
    }
  }

  /** A lease that is renewed moves its end without a change of state. */
  function keepPinnedTrue() {
    const overMap = mapRoot.matches(':hover');
    if (pinned >= 0 && !overMap && performance.now() - pinnedAt >= CLAIM_AGES_MILLIS) {
      showPinned({ refresh: true });
    }
  }

  function showDetails(index, how = {}) {
    const value = map.valueAt(index);
    const pool = current();
    if (value !== null && pool) {
      details.show(pool, value, map.stateAt(index), how);
    }
  }

  function countClaims(granted) {
    const now = performance.now();
    seen.push({ at: now, granted });
    seen = seen.filter(({ at }) => now - at <= RATE_OVER_MILLIS);
    const span = (now - seen[0].at) / 1000;
    const claims = seen.slice(1).reduce((sum, one) => sum + one.granted, 0);
    summary.rate(span >= 1 ? claims / span : null);
  }
}

function countsOf(states) {
  const counts = { f: 0, h: 0, q: 0, d: 0, x: 0 };
  for (const state of states) {
    counts[state]++;
  }
  return { free: counts.f, held: counts.h, quarantined: counts.q, draining: counts.d };
}

/** One pool of the list: its name, what it has, and a bar of what is held and rests. */
function itemElements(name) {
  const bar = barElements();
  const capacity = element('span', { class: 'pool-capacity' });
  const counts = STATES.map(() => element('span', { class: 'nowrap' }));
  const link = element(
    'a',
    {
      'class': 'pool-item',
      'data-testid': 'pool-item',
      'data-pool': name,
      'href': `#pool=${name}`,
    },
    element(
      'span',
      { class: 'pool-line' },
      element('span', { class: 'pool-name' }, name),
      capacity,
    ),
    bar.root,
    element('span', { class: 'pool-counts' }, ...counts),
  );
  return {
    root: element('li', {}, link),
    show(pool, isSelected) {
      link.setAttribute('aria-current', String(isSelected));
      setText(capacity, counted(pool.capacity));
      STATES.forEach(([state, label], i) => {
        setText(counts[i], `${counted(pool[state])} ${label}`);
        counts[i].hidden = state === 'draining' && pool[state] === 0;
      });
      bar.show(pool);
    },
  };
}

/** What the selected pool is, and the legend of its map with the count of each state. */
function summaryElements() {
  const name = element('h2', { 'class': 'pool-title', 'data-testid': 'pool-title' });
  const facts = element('p', { class: 'hint' });
  const rest = element('p', { class: 'hint' });
  const counts = Object.fromEntries(
    STATES.map(([state]) => [
      state,
      element('span', { 'class': 'count', 'data-testid': `count-${state}` }, '—'),
    ]),
  );
  const rate = element('span', { 'class': 'count', 'data-testid': 'claims-per-second' }, '—');
  let atOnce = false;
  return {
    root: element(
      'header',
      { class: 'summary' },
      element('div', { class: 'summary-text' }, name, facts),
      element(
        'dl',
        { class: 'legend' },
        ...STATES.map(([state, label]) =>
          element(
            'div',
            {},
            element(
              'dt',
              {},
              element('span', { 'class': 'key', 'data-state': state, 'aria-hidden': 'true' }),
              label,
            ),
            element('dd', {}, counts[state]),
          ),
        ),
        element(
          'div',
          {
            title:
              'Values seen turning held, over the last 5 s; what comes and goes between two looks is missed.',
          },
          element('dt', {}, 'claims/s seen'),
          element('dd', {}, rate),
        ),
      ),
      rest,
    ),
    describe(pool) {
      setText(name, pool.name);
      setText(
        facts,
        settingsOf(pool).join(' · '),
      );
      atOnce = /^(0|null)/.test(String(pool.quarantine));
      setText(
        rest,
        atOnce
          ? 'Nothing rests here: a value given back can be handed out again at once.'
          : `Resting: a value given back rests in quarantine (${pool.quarantine}) before it is handed out again.`,
      );
    },
    count(told) {
      for (const [state, count] of Object.entries(counts)) {
        setText(count, counted(told[state]));
      }
      // An operator can let values rest here all the same.
      rest.hidden = atOnce && Number(told.quarantined) > 0;
    },
    rate(perSecond) {
      setText(rate, perSecond === null ? '—' : perSecond.toFixed(perSecond < 10 ? 1 : 0));
    },
  };
}

/** What a pool is declared to be, in words. */
function settingsOf(pool) {
  const { ipv6 } = pool;
  return [
    few([...pool.blocks, ...pool.lists]),
    `${counted(pool.capacity)} values`,
    pool.lease ? `lease ${pool.lease}` : 'no lease: held until released',
    `${counted(pool.per_client)} a client`,
    ...(pool.per_owner === null ? [] : [`${counted(pool.per_owner)} an owner`]),
    pool.order === 'random' ? 'in no order' : 'the lowest first',
    pool.sticky ? 'a client has its last value again' : 'not sticky',
    pool.history === null ? 'no history' : `history ${pool.history}`,
    ...(ipv6 ? [`IPv6 ${ipv6.prefix} embeds the ${ipv6.embed === 'ipv4' ? 'value' : 'client'}`] : []),
    ...(pool.exclude.length ? [`without ${few(pool.exclude)}`] : []),
  ];
}

const FEW = 6;

function few(texts) {
  const more = texts.length - FEW;
  return more > 1
    ? `${texts.slice(0, FEW).join(', ')} and ${counted(more)} more`
    : texts.join(', ');
}

/** Goes through a pool that is larger than a window. */
function pagerElements({ onPage, onJump }) {
  const where = element('p', { class: 'pager-where' });
  const button = (id, name, by) =>
    /** @type {HTMLButtonElement} */ (
      element(
        'button',
        {
          'type': 'button',
          'class': 'quiet',
          'data-testid': id,
          'onclick': () => onPage(by),
        },
        name,
      )
    );
  const previous = button('window-previous', '‹ Previous', -1);
  const next = button('window-next', 'Next ›', 1);
  const input = /** @type {HTMLInputElement} */ (
    element('input', {
      'id': 'jump',
      'data-testid': 'jump',
      'type': 'text',
      'class': 'mono',
      'autocomplete': 'off',
      'spellcheck': 'false',
    })
  );
  const said = element('p', { class: 'result', role: 'status' });
  const turn = element('div', { class: 'pager-turn' }, previous, next);
  const root = element(
    'form',
    {
      'class': 'pager',
      'aria-label': 'Go to a value',
      'novalidate': true,
      'onsubmit': (event) => {
        event.preventDefault();
        onJump(input.value);
      },
    },
    where,
    turn,
    element(
      'div',
      { class: 'pager-jump' },
      element('label', { for: 'jump' }, 'Go to'),
      input,
      element('button', { type: 'submit', class: 'quiet' }, 'Go'),
    ),
    said,
  );
  return {
    root,
    show({ from, count, total, blocks }) {
      setText(
        where,
        count === total
          ? `All ${counted(total)} values`
          : `Values ${counted(from + 1)} to ${counted(from + count)} of ${total >= POSITIONS_MAX ? 'more than ' : ''}${counted(total)}`,
      );
      turn.hidden = count === total;
      previous.disabled = from === 0;
      next.disabled = from + count >= total;
      input.placeholder = blocks[0]?.first ?? '';
    },
    say: (text) => setText(said, text),
    reset() {
      input.value = '';
      setText(said, '');
    },
  };
}
