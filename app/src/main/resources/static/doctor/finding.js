import { copyable } from '../common/copy.js';
import { element } from '../common/dom.js';
import { dateElement } from '../common/time.js';
import { splitRemedy } from './findings.js';

/** @import {Finding} from './api.js' */

/**
 * A finding: what, where, how bad, and what to do.
 *
 * @param {Finding} finding
 */
export function findingElement(finding) {
  const { text, sql } = splitRemedy(finding.remedy);
  return element(
    'li',
    { 'class': 'finding', 'data-severity': finding.severity, 'data-testid': 'finding' },
    element(
      'h2',
      { class: 'finding-head' },
      element('span', { class: 'severity' }, finding.severity),
      element('span', { class: 'mono finding-object' }, finding.object),
      element('span', { class: 'finding-check' }, finding.check),
    ),
    element('p', {}, finding.found),
    ...(finding.runs_out
      ? [
          element(
            'p',
            { 'class': 'runs-out', 'data-testid': 'runs-out' },
            'Runs out ',
            dateElement(finding.runs_out),
          ),
        ]
      : []),
    element(
      'p',
      { class: 'finding-remedy' },
      element('strong', {}, 'Remedy: '),
      text || 'run this as the owner of the table',
      sql ? ':' : '',
    ),
    ...(sql ? [copyable('finding-sql', sql, `the SQL of ${finding.object}`)] : []),
    element('p', { class: 'hint' }, `Threshold: ${finding.threshold}`),
  );
}
