import { element } from '../common/dom.js';
import { counted } from '../common/numbers.js';

/** @import {Comparison, Scheme} from './api.js' */

const COLUMNS = [
  'Kind',
  'Bits of time',
  'Random bits',
  'Order',
  'Bytes',
  'Characters',
  'Until',
  'Odds that two are equal',
];

/**
 * All kinds side by side; the recommended one is marked.
 *
 * @param {Comparison} comparison
 * @param {boolean} withHistoric
 */
export function schemeTable(comparison, withHistoric) {
  const { schemes, rate_per_second: rate, years } = comparison;
  const caption = `${counted(rate)} ids a second for ${years === 1 ? 'a year' : `${counted(years)} years`}`;
  return element(
    'div',
    { 'class': 'scheme-box', 'role': 'region', 'aria-label': 'All kinds', 'tabindex': '0' },
    element(
      'table',
      { 'class': 'schemes', 'data-testid': 'schemes' },
      element('caption', {}, caption),
      element(
        'thead',
        {},
        element('tr', {}, ...COLUMNS.map((name) => element('th', { scope: 'col' }, name))),
      ),
      element(
        'tbody',
        {},
        ...schemes
          .filter(({ historic, recommended }) => withHistoric || recommended || !historic)
          .map(schemeRow),
      ),
    ),
  );
}

/** @param {Scheme} scheme */
function schemeRow(scheme) {
  const mark = scheme.recommended ? element('span', { class: 'mark' }, 'recommended') : null;
  return element(
    'tr',
    {
      'class': scheme.recommended ? 'is-recommended' : '',
      'data-testid': 'scheme',
      'data-name': scheme.name,
    },
    element('th', { scope: 'row' }, scheme.name, mark),
    element('td', {}, bits(scheme.time_bits)),
    element('td', {}, bits(scheme.random_bits)),
    element('td', {}, scheme.sorted),
    element('td', {}, String(scheme.bytes)),
    element('td', {}, String(scheme.characters)),
    element('td', {}, scheme.until ?? 'no end'),
    element('td', { 'data-testid': 'odds' }, scheme.collision),
  );
}

/** @param {number} count */
function bits(count) {
  return count === 0 ? 'none' : String(count);
}
