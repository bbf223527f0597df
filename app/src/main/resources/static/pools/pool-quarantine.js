import { element } from '../common/dom.js';
import { counted } from '../common/numbers.js';
import { timeElement } from '../common/time.js';
import { listQuarantined } from './api.js';
import { quarantineValues } from './changes-api.js';
import { LineForm } from './line-form.js';
import { PagedList } from './paged-list.js';
import { valueLink } from './pool-address.js';
import { listedBlocks } from './pool-draft.js';

/** @import {Pool} from './api.js' */

const TO_THE_SECOND = { fraction: false };
const VALUES_A_PAGE = 50;

/** The quarantined values, and a form that quarantines values that are not held. */
export class PoolQuarantine {
  #pool = '';
  /** @type {PagedList<{value: string, until: string}>} */
  #list = new PagedList({
    name: 'quarantined',
    columns: ['value', 'quarantined until'],
    cells: ({ value, until }) => [valueLink(this.#pool, value), timeElement(until, TO_THE_SECOND)],
    load: async (after, signal) => {
      const page = { after, limit: VALUES_A_PAGE, signal };
      const { values, next } = await listQuarantined(this.#pool, page);
      return { items: values, next };
    },
    emptyText: () => '',
  });
  #state = element('p', { 'class': 'hint', 'data-testid': 'quarantine-state' });
  #form;

  /** @param {() => void} onChange called after a change, to load the pool again */
  constructor(onChange) {
    this.#form = new LineForm({
      name: 'quarantine',
      label: 'Quarantine values',
      fields: [
        {
          id: 'quarantine-values',
          name: 'Values, separated by commas',
          missing: 'Enter at least one value.',
        },
        {
          id: 'quarantine-for',
          name: 'For how long',
          placeholder: '1h',
          missing: 'Enter for how long, such as 30s, 10m or 1h.',
        },
      ],
      action: 'Quarantine',
      onSubmit: async (values, duration) => {
        const wanted = { values: listedBlocks(values), for: duration };
        const answer = await quarantineValues(this.#pool, wanted);
        onChange();
        return resultOf(answer);
      },
    });
    this.root = element(
      'section',
      { 'class': 'panel', 'aria-labelledby': 'quarantine-title' },
      element(
        'div',
        { class: 'panel-head' },
        element('h2', { id: 'quarantine-title', class: 'panel-title' }, 'Quarantine'),
        this.#list.turn,
      ),
      this.#state,
      this.#list.root,
      this.#form.root,
    );
  }

  /** @param {Pool} pool */
  show({ name, quarantine, quarantined }) {
    if (name === this.#pool) {
      this.#list.refresh();
    } else {
      this.#pool = name;
      this.#form.reset();
      this.#list.restart();
    }
    const after = `A released value is quarantined for ${quarantine}.`;
    this.#state.textContent =
      quarantined === 0
        ? `No value is quarantined. ${after}`
        : `${counted(quarantined)} ${quarantined === 1 ? 'value is' : 'values are'} quarantined. ${after}`;
  }
}

/** @param {{quarantined: {value: string}[], held: string[]} | null} answer */
function resultOf(answer) {
  if (answer === null) {
    return 'All values that are not held are quarantined.';
  }
  const { quarantined, held } = answer;
  const done = quarantined.map(({ value }) => value).join(', ');
  return [
    done ? `Quarantined: ${done}.` : 'No value was quarantined.',
    ...(held.length ? [`Held, so left as they are: ${held.join(', ')}.`] : []),
  ].join(' ');
}
