import { element, setText } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { COUNTED_STATES } from './value-states.js';

/** @import {Counts, Pool} from './api.js' */

const NAMES_MAX = 6;

/** The name and settings of a pool, and the legend of its map with the count of each state. */
export class PoolSummary {
  #name = element('h1', { 'class': 'pool-title', 'data-testid': 'pool-title' });
  #settings = element('p', { class: 'hint' });
  #quarantine = element('p', { class: 'hint' });
  #counts = COUNTED_STATES.map((state) => countElement(`count-${state}`));
  #rate = countElement('claims-per-second');
  #rateBox = element(
    'div',
    { title: 'Values that became held in the last 5 s. Claims between two polls are missed.' },
    element('dt', {}, 'claims/s seen'),
    element('dd', {}, this.#rate),
  );
  root = element(
    'header',
    { class: 'summary' },
    element('div', { class: 'summary-text' }, this.#name, this.#settings),
    element(
      'dl',
      { class: 'legend' },
      ...COUNTED_STATES.map((state, at) => legendElement(state, this.#counts[at])),
      this.#rateBox,
    ),
    this.#quarantine,
  );

  /**
   * @param {Pool} pool
   * @param {Counts} counts
   */
  show(pool, counts) {
    setText(this.#name, pool.name);
    setText(this.#settings, settingsOf(pool).join(' · '));
    COUNTED_STATES.forEach((state, at) => setText(this.#counts[at], counted(counts[state])));
    const isAtOnce = Number.parseInt(pool.quarantine) === 0;
    setText(
      this.#quarantine,
      isAtOnce
        ? 'No quarantine: a released value can be claimed again at once.'
        : `A released value is quarantined for ${pool.quarantine} before it can be claimed again.`,
    );
    // An operator can quarantine values of any pool.
    this.#quarantine.hidden = isAtOnce && counts.quarantined > 0;
  }

  /**
   * @param {boolean} isKnown only while the map is loaded
   * @param {number | null} claimsPerSecond
   */
  showRate(isKnown, claimsPerSecond) {
    this.#rateBox.hidden = !isKnown;
    const digits = claimsPerSecond !== null && claimsPerSecond < 10 ? 1 : 0;
    setText(this.#rate, claimsPerSecond?.toFixed(digits) ?? '—');
  }
}

/** @param {string} testId */
function countElement(testId) {
  return element('span', { 'class': 'count', 'data-testid': testId }, '—');
}

/**
 * @param {string} state
 * @param {HTMLElement} count
 */
function legendElement(state, count) {
  const key = element('span', { 'class': 'key', 'data-state': state, 'aria-hidden': 'true' });
  return element('div', {}, element('dt', {}, key, state), element('dd', {}, count));
}

/** @param {Pool} pool */
function settingsOf(pool) {
  const { ipv6 } = pool;
  return [
    pool.blocks_from === null
      ? listed([...pool.blocks, ...pool.lists])
      : `blocks from ${pool.blocks_from}`,
    `${counted(pool.capacity)} values`,
    ...(pool.database === null ? [] : [`in the database ${pool.database}`]),
    pool.lease ? `lease ${pool.lease}` : 'no lease: held until released',
    `${counted(pool.per_client)} per client`,
    ...(pool.per_owner === null ? [] : [`${counted(pool.per_owner)} per owner`]),
    pool.order === 'random' ? 'random order' : 'lowest value first',
    pool.sticky ? 'sticky' : 'not sticky',
    pool.history === null ? 'no history' : `history ${pool.history}`,
    ...(ipv6
      ? [`IPv6 ${ipv6.prefix} embeds the ${ipv6.embed === 'ipv4' ? 'value' : 'client'}`]
      : []),
    ...(pool.stopped_at === null ? [] : [`stopped by a failover since ${pool.stopped_at}`]),
    ...(pool.exclude.length ? [`excluded: ${listed(pool.exclude)}`] : []),
  ];
}

/** @param {string[]} names */
function listed(names) {
  const more = names.length - NAMES_MAX;
  return more > 1
    ? `${names.slice(0, NAMES_MAX).join(', ')} and ${counted(more)} more`
    : names.join(', ');
}
