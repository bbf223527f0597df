import { readAddress, writeAddress } from './address.js';
import { ask, isOutage } from './api.js';
import { CellDetails } from './cell-details.js';
import { ClaimForm } from './claim-form.js';
import { byId, counted, element, setText } from './dom.js';
import { poll } from './poll.js';
import { PoolMap } from './pool-map.js';
import { parseValue, positionOf } from './values.js';

const MAP_EVERY_MILLIS = 500;
const POOLS_EVERY_MILLIS = 2_000;
const CLAIM_AGES_MILLIS = 5_000;
const WINDOW_CELLS_MAX = 4_096;
const RATE_OVER_MILLIS = 5_000;
const STATES = [
  ['held', 'held'],
  ['quarantined', 'resting'],
  ['free', 'free'],
];

/**
 * The pools: a list, and of the selected one a live map.
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
  const details = new CellDetails({ onStep: step, onClose: unpin, onReleased: refresh });
  const form = new ClaimForm({
    onClaimed(claim) {
      sought = claim.value;
      if (map.indexOfValue(claim.value) < 0) {
        openAt(claim.value);
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
    const name = readAddress('pool');
    if (name && name !== selected) {
      select(name, { keepAddress: true });
    }
  });

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
      { from, limit: WINDOW_CELLS_MAX },
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
        items.set(
          pool.name,
          itemElements(pool.name, () => select(pool.name)),
        );
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
    form.aim(pool.name);
    summary.describe(pool);
    if (pool.capacity > WINDOW_CELLS_MAX) {
      summary.count(pool);
    }
  }

  function showMap(told) {
    const { granted, changed } = map.show(told);
    countClaims(granted);
    pager.show(told);
    mapRoot.removeAttribute('aria-busy');
    if (told.count === told.total) {
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

  function select(name, { keepAddress = false } = {}) {
    if (name === selected) {
      return;
    }
    selected = name;
    pager.reset();
    resetWindow(0);
    if (!keepAddress) {
      writeAddress('pool', name);
    }
    if (pools.length) {
      showPools(pools);
    }
    refresh();
  }

  function resetWindow(start) {
    from = start;
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
  function openAt(value) {
    const pool = current();
    const parsed = parseValue(value);
    const position = pool && parsed ? positionOf(pool, parsed) : null;
    if (position === null) {
      return false;
    }
    sought = value;
    openWindow(Math.floor(position / WINDOW_CELLS_MAX) * WINDOW_CELLS_MAX);
    return true;
  }

  function jump(text) {
    const wanted = text.trim().split('/')[0];
    const index = map.indexOfValue(wanted);
    if (index >= 0) {
      pin(index);
      map.scrollTo(index);
      pager.say('');
    } else {
      pager.say(openAt(wanted) ? '' : `${text.trim() || 'Nothing'} is not a value of this pool.`);
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
  const counts = { f: 0, h: 0, q: 0, x: 0 };
  for (const state of states) {
    counts[state]++;
  }
  return { free: counts.f, held: counts.h, quarantined: counts.q };
}

/** One pool of the list: its name, what it has, and a bar of what is held and rests. */
function itemElements(name, onSelect) {
  const bar = barElements();
  const capacity = element('span', { class: 'pool-capacity' });
  const counts = STATES.map(() => element('span', { class: 'nowrap' }));
  const button = element(
    'button',
    {
      'type': 'button',
      'class': 'pool-item',
      'data-testid': 'pool-item',
      'data-pool': name,
      'onclick': onSelect,
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
    root: element('li', {}, button),
    show(pool, isSelected) {
      button.setAttribute('aria-current', String(isSelected));
      setText(capacity, counted(pool.capacity));
      STATES.forEach(([state, label], i) => setText(counts[i], `${counted(pool[state])} ${label}`));
      bar.show(pool);
    },
  };
}

function barElements() {
  const parts = new Map(STATES.map(([state]) => [state, element('span', { 'data-state': state })]));
  return {
    root: element('span', { 'class': 'bar', 'aria-hidden': 'true' }, ...parts.values()),
    show(pool) {
      for (const [state, part] of parts) {
        part.style.flexGrow = String(pool[state]);
        part.hidden = pool[state] === 0;
      }
    },
  };
}

/** What the selected pool is, and the legend of its map with the count of each state. */
function summaryElements() {
  const name = element('h2', { class: 'pool-title' });
  const facts = element('p', { class: 'hint' });
  const rest = element('p', { class: 'hint' });
  const counts = Object.fromEntries(
    STATES.map(([state]) => [
      state,
      element('span', { 'class': 'count', 'data-testid': `count-${state}` }, '—'),
    ]),
  );
  const rate = element('span', { 'class': 'count', 'data-testid': 'claims-per-second' }, '—');
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
        [
          pool.blocks.join(', '),
          `${counted(pool.capacity)} values`,
          pool.lease ? `lease ${pool.lease}` : 'no lease: held until released',
          ...(pool.exclude?.length ? [`without ${pool.exclude.join(', ')}`] : []),
        ].join(' · '),
      );
      setText(
        rest,
        /^(0|null)/.test(String(pool.quarantine))
          ? 'Nothing rests here: a value given back can be handed out again at once.'
          : `Resting: a value given back rests in quarantine (${pool.quarantine}) before it is handed out again.`,
      );
    },
    count(told) {
      for (const [state, count] of Object.entries(counts)) {
        setText(count, counted(told[state]));
      }
    },
    rate(perSecond) {
      setText(rate, perSecond === null ? '—' : perSecond.toFixed(perSecond < 10 ? 1 : 0));
    },
  };
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
          : `Values ${counted(from + 1)} to ${counted(from + count)} of ${counted(total)}`,
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
