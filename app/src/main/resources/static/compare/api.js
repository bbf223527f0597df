/**
 * The HTTP API as this view uses it: the types follow the schemas of `openapi.json`.
 */
import { request } from '../common/http.js';

/** @typedef {{key: string, text: string, answer: string, answers: {value: string, text: string}[]}} Question */

/**
 * @typedef {object} Recommendation
 * @property {string} take
 * @property {string} situation
 * @property {string | null} kind
 * @property {string | null} storage
 * @property {string} face
 * @property {string} mint
 * @property {string[]} reasons
 * @property {string[]} costs
 * @property {string[]} unmet answers that it does not meet
 * @property {{take: string, when: string} | null} runner_up
 * @property {string | null} catalog
 * @property {string} sql
 */

/**
 * @typedef {object} Scheme
 * @property {string} name
 * @property {number} time_bits
 * @property {number} random_bits
 * @property {string} sorted
 * @property {number} bytes
 * @property {number} characters
 * @property {string | null} until
 * @property {string} collision the odds in words
 * @property {boolean} historic
 * @property {boolean} recommended
 */

/**
 * @typedef {object} Comparison
 * @property {number} rate_per_second
 * @property {number} years
 * @property {Question[]} questions
 * @property {Recommendation} recommendation
 * @property {Scheme[]} schemes
 */

/**
 * @param {Record<string, string>} answers by the key of the question; `rate` and `years` besides
 * @param {AbortSignal} signal
 * @returns {Promise<Comparison>}
 */
export async function compare(answers, signal) {
  const { body } = await request(['comparison'], { query: answers, signal });
  return body;
}
