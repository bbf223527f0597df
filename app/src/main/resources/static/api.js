/** How long an answer may take before the server counts as gone. */
const ANSWER_MILLIS_MAX = 10_000;

/** The server answered, and the answer is no: an `application/problem+json`. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} title
   * @param {string} detail
   */
  constructor(status, title, detail) {
    super(detail || title || `the server answered ${status}`);
    this.status = status;
    this.title = title;
  }
}

/** No answer came: the server is gone, or the network to it. */
export class Unreachable extends Error {}

/**
 * Whether `error` says that nobody who can answer is there, rather than that the answer is no.
 *
 * @param {unknown} error
 */
export function isOutage(error) {
  return (
    error instanceof Unreachable ||
    (error instanceof Problem && error.status >= 502 && error.status <= 504)
  );
}

/**
 * @typedef {object} Call
 * @property {string} [method]
 * @property {object} [body] sent as JSON
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 */

/**
 * Asks the server. The browser's own cache is left out: what revalidates says so with an ETag.
 *
 * @param {string[]} path the segments, not encoded
 * @param {Record<string, string | number>} [query]
 * @param {Call} [call]
 * @returns {Promise<{status: number, headers: Headers, body: any}>} `body` is null for 204 and 304
 * @throws {Problem} for every status from 400 up
 * @throws {Unreachable} if no answer came
 */
export async function ask(path, query = {}, call = {}) {
  const parameters = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  const search = parameters.size ? `?${parameters}` : '';
  const url = `/v1/${path.map(encodeURIComponent).join('/')}${search}`;
  const deadline = AbortSignal.timeout(ANSWER_MILLIS_MAX);
  try {
    const response = await fetch(url, {
      method: call.method ?? 'GET',
      cache: 'no-store',
      headers: {
        accept: 'application/json, application/problem+json',
        ...(call.body ? { 'content-type': 'application/json' } : {}),
        ...call.headers,
      },
      body: call.body ? JSON.stringify(call.body) : undefined,
      signal: call.signal ? AbortSignal.any([call.signal, deadline]) : deadline,
    });
    const text = await response.text();
    if (response.status >= 400) {
      throw problem(response, text);
    }
    const body = text ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    if (error instanceof Problem || call.signal?.aborted) {
      throw error;
    }
    if (error instanceof SyntaxError) {
      throw new Problem(500, 'Not JSON', `${url}: the answer is not JSON`);
    }
    throw new Unreachable(
      deadline.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.',
      { cause: error },
    );
  }
}

/**
 * @param {Response} response
 * @param {string} text
 */
function problem(response, text) {
  let said = {};
  try {
    said = JSON.parse(text) ?? {};
  } catch {
    // A proxy on the way speaks HTML; its status says enough.
  }
  return new Problem(
    response.status,
    String(said.title ?? response.statusText),
    String(said.detail ?? ''),
  );
}
