import { copyButton } from '../common/copy.js';
import { element } from '../common/dom.js';

/** @import {Recommendation} from './api.js' */

/**
 * What is recommended, with the reasons, what it costs, and what to copy.
 *
 * @param {Recommendation} recommendation
 */
export function recommendationElement(recommendation) {
  const { take, kind, storage, face, mint, reasons, costs, unmet, catalog, sql } = recommendation;
  return element(
    'article',
    { 'class': 'recommendation', 'data-testid': 'recommendation' },
    element('h2', { 'data-testid': 'take' }, take),
    unmetElement(unmet),
    sentences('Why', 'reasons', reasons),
    element(
      'dl',
      { class: 'choice-facts' },
      ...fact('Kind', kind),
      ...fact('Stored as', storage),
      ...fact('Shown', face),
      ...fact('Minted by', mint),
    ),
    sentences('What it costs', 'costs', costs),
    runnerUpElement(recommendation),
    catalog ? sourceElement('mintmark.yaml', 'catalog', catalog) : null,
    sourceElement('SQL', 'sql', sql),
  );
}

/** @param {string[]} unmet */
function unmetElement(unmet) {
  return unmet.length === 0
    ? null
    : element(
        'div',
        { 'class': 'unmet', 'data-testid': 'unmet' },
        element('h3', {}, 'Not met'),
        element('ul', {}, ...unmet.map((sentence) => element('li', {}, sentence))),
      );
}

/**
 * @param {string} title
 * @param {string} testId
 * @param {string[]} texts
 */
function sentences(title, testId, texts) {
  return element(
    'div',
    { 'data-testid': testId },
    element('h3', {}, title),
    element('ul', { class: 'sentences' }, ...texts.map((text) => element('li', {}, text))),
  );
}

/**
 * @param {string} name
 * @param {string | null} value
 */
function fact(name, value) {
  return value === null
    ? []
    : [element('div', {}, element('dt', {}, name), element('dd', {}, value))];
}

/** @param {Recommendation} recommendation */
function runnerUpElement({ runner_up: next }) {
  return next === null
    ? null
    : element(
        'div',
        { 'data-testid': 'runner-up' },
        element('h3', {}, 'Runner-up'),
        element('p', {}, element('strong', {}, next.take), `, if ${next.when}.`),
      );
}

/**
 * @param {string} title
 * @param {string} testId
 * @param {string} text
 */
function sourceElement(title, testId, text) {
  return element(
    'div',
    { class: 'source-lines' },
    element('div', { class: 'source-head' }, element('h3', {}, title), copyButton(title, text)),
    element(
      'pre',
      { 'data-testid': testId, 'tabindex': '0', 'role': 'region', 'aria-label': title },
      element('code', {}, text.trimEnd()),
    ),
  );
}
