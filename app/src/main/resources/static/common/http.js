/** How long an answer may take before the server counts as unreachable. */
const ANSWER_MILLIS_MAX = 10_000;

/** The server rejected a request, with an `application/problem+json` as a rule. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} title
   * @param {string} detail
   * @param {string} code the type of the problem, see docs/errors.md; empty if the answer has none
   */
  constructor(status, title, detail, code = '') {
    super(detail || title || `The server answered with status ${status}.`);
    this.status = status;
    this.title = title;
    this.code = code;
  }
}

/** The server did not answer: it is down, or the network to it is. */
export class Unreachable extends Error {}

/**
 * Whether an error means that the server, or the one behind a proxy, is down.
 *
 * @param {unknown} error
 */
export function isOutage(error) {
  return (
    error instanceof Unreachable ||
    (error instanceof Problem && error.status >= 502 && error.status <= 504)
  );
}

/** @type {(() => void)[]} */
const signedOutListeners = [];

/**
 * Calls `listener` when the server requires a key and the browser has no session, or it has ended.
 *
 * @param {() => void} listener
 */
export function onSignedOut(listener) {
  signedOutListeners.push(listener);
}

/** Signals for requests of which only the latest matters: each new signal aborts the one before. */
export class LatestSignal {
  #controller = new AbortController();

  next() {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }
}

/**
 * @typedef {object} Options
 * @property {string} [method] GET if it is left out
 * @property {Record<string, string | number | string[]>} [query] each of a list is a parameter
 * @property {object} [body] sent as JSON
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {number} [answerMillisMax] how long the answer may take, if it may take longer
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {any} body parsed JSON; null for 204 and 304
 */

/**
 * Sends a request to the API. The browser's own cache is not used: a caller that revalidates sends
 * an ETag.
 *
 * @param {string[]} path the segments after `/v1`, not encoded
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 * @throws {Problem} for every status from 400 up
 * @throws {Unreachable} if no answer came
 */
export async function request(path, options = {}) {
  const url = urlOf(path, options.query ?? {});
  const deadline = AbortSignal.timeout(options.answerMillisMax ?? ANSWER_MILLIS_MAX);
  try {
    const response = await fetch(url, {
      method: options.method ?? 'GET',
      cache: 'no-store',
      headers: {
        accept: 'application/json, application/problem+json',
        ...(options.body ? { 'content-type': 'application/json' } : {}),
        ...options.headers,
      },
      body: options.body ? JSON.stringify(options.body) : null,
      signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
    });
    return answerOf(response, await response.text());
  } catch (error) {
    if (error instanceof Problem || options.signal?.aborted) {
      throw error;
    }
    if (error instanceof SyntaxError) {
      throw new Problem(500, 'Not JSON', `The answer of ${url} is not JSON.`);
    }
    throw new Unreachable(
      deadline.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.',
      { cause: error },
    );
  }
}

/**
 * @param {string[]} path
 * @param {Record<string, string | number | string[]>} query
 */
function urlOf(path, query) {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, String(one)]),
    ),
  );
  const search = parameters.size ? `?${parameters}` : '';
  return `/v1/${path.map(encodeURIComponent).join('/')}${search}`;
}

/**
 * @param {Response} response
 * @param {string} text
 * @returns {Answer}
 */
function answerOf(response, text) {
  if (response.status >= 400) {
    const problem = problemOf(response, text);
    if (problem.code === 'key-required') {
      signedOutListeners.forEach((listener) => listener());
    }
    throw problem;
  }
  return {
    status: response.status,
    headers: response.headers,
    body: text ? JSON.parse(text) : null,
  };
}

/**
 * @param {Response} response
 * @param {string} text
 */
function problemOf(response, text) {
  /** @type {{title?: string, detail?: string, code?: string}} */
  let problem = {};
  try {
    problem = JSON.parse(text) ?? {};
  } catch {
    // A proxy answers with HTML; its status says enough.
  }
  return new Problem(
    response.status,
    String(problem.title ?? response.statusText),
    String(problem.detail ?? ''),
    String(problem.code ?? ''),
  );
}
