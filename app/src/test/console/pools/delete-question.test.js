import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { DeleteQuestion } from '../../../main/resources/static/pools/delete-question.js';

/**
 * A server with one pool, `p`, and the requests that it got.
 *
 * @param {number} held
 */
function serverWith(held) {
  /** @type {string[]} */
  const requests = [];
  mock.method(
    globalThis,
    'fetch',
    /**
     * @param {string} url
     * @param {{method: string}} options
     */
    async (url, { method }) => {
      requests.push(`${method} ${url}`);
      if (method === 'GET') {
        return answer(200, { name: 'p', held });
      }
      return held > 0 && !url.endsWith('?force=true')
        ? answer(409, { type: 'urn:mintmark:problem:pool-in-use', code: 'pool-in-use' })
        : answer(204, null);
    },
  );
  return requests;
}

/**
 * @param {number} status
 * @param {object | null} body
 */
function answer(status, body) {
  return new Response(body && JSON.stringify(body), {
    status,
    headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' },
  });
}

test('claims that the question did not name are asked for first', async () => {
  const requests = serverWith(3);
  const first = new DeleteQuestion({ name: 'p', held: 0 });

  const next = await first.agree();

  assert.equal(first.text, 'Its history is deleted with it. Type p to delete it.');
  assert.equal(
    next?.text,
    '3 of its values are held: their claims are deleted, too, and their clients are not told. Type p to delete it.',
  );
  assert.equal(await next?.agree(), null);
  assert.deepEqual(requests, [
    'DELETE /v1/pools/p',
    'GET /v1/pools/p',
    'DELETE /v1/pools/p?force=true',
  ]);
});

test('a pool without claims is deleted without force', async () => {
  const requests = serverWith(0);

  assert.equal(await new DeleteQuestion({ name: 'p', held: 0 }).agree(), null);
  assert.deepEqual(requests, ['DELETE /v1/pools/p']);
});
