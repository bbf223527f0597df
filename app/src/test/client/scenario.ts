/** Calls a server with the client that openapi-typescript generates: node scenario.js URL */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Claim = components['schemas']['Claim'];
type ClaimList = components['schemas']['ClaimList'];
type ClaimOutcomes = components['schemas']['ClaimOutcomes'];

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const path = { pool: 'generated' };

/** The only claim of a response without `count` and `clients`. */
function single(data: Claim | ClaimList | ClaimOutcomes | undefined): Claim {
  assert.ok(data && !('claims' in data) && !('outcomes' in data));
  return data;
}

const created = await client.POST('/v1/pools', {
  body: { name: path.pool, range: '1..2', per_client: 1, lease: '1m', order: 'ascending' },
});
assert.equal(created.response.status, 201);
assert.equal(created.data?.free, 2);
assert.equal(created.data?.per_owner, null);

const claims = [];
for (const name of ['a', 'b']) {
  const answer = await client.POST('/v1/pools/{pool}/claims', {
    params: { path },
    body: { client: name, owner: 'acme' },
  });
  claims.push(single(answer.data));
}
const [first, second] = claims as [Claim, Claim];
assert.deepEqual([first.value, second.value], ['1', '2']);
const lease = Date.parse(first.expires_at ?? '') - Date.parse(first.claimed_at);
assert.equal(lease, 60_000);

const exhausted = await client.POST('/v1/pools/{pool}/claims', {
  params: { path },
  body: { client: 'c' },
});
assert.equal(exhausted.response.status, 409);
assert.equal(exhausted.error?.code, 'pool-exhausted');
assert.equal(exhausted.error?.type, 'urn:mintmark:problem:pool-exhausted');
assert.ok(Number(exhausted.response.headers.get('retry-after')) >= 1);

const held = { path: { ...path, value: first.value }, header: { 'If-Match': `"${first.token}"` } };
const renewed = await client.POST('/v1/pools/{pool}/claims/{value}/renewal', {
  params: held,
  body: { lease: '2h' },
});
assert.ok(Date.parse(renewed.data?.expires_at ?? '') > Date.parse(first.expires_at ?? ''));

const superseded = await client.DELETE('/v1/pools/{pool}/claims/{value}', {
  params: { ...held, header: { 'If-Match': '"0"' } },
});
assert.equal(superseded.error?.code, 'token-superseded');

const released = await client.DELETE('/v1/pools/{pool}/claims/{value}', { params: held });
assert.equal(released.response.status, 204);
const gone = await client.GET('/v1/pools/{pool}/claims/{value}', {
  params: { path: held.path },
});
assert.equal(gone.error?.code, 'claim-not-found');

const listed = await client.GET('/v1/pools/{pool}/claims', {
  params: { path, query: { owner: 'acme', limit: 10 } },
});
assert.deepEqual(listed.data, { claims: [second], next: null });

const inspected = await client.GET('/v1/ids', {
  params: { query: { id: ['01FZG96YPZK4SANAG1ZM5T2K9Z', 'a,b'] } },
});
assert.deepEqual(
  inspected.data?.map(({ input, readings }) => [input, readings[0]?.kind]),
  [
    ['01FZG96YPZK4SANAG1ZM5T2K9Z', 'ulid'],
    ['a,b', undefined],
  ],
);

// The compiler rejects names that the server does not have.
// @ts-expect-error: the key is expires_at
assert.equal(first.expiresAt, undefined);
const declaration: components['schemas']['PoolDeclaration'] = {
  name: 'misspelled',
  range: '1..2',
  // @ts-expect-error: the key is per_client
  perClient: 1,
};
const misspelled = await client.POST('/v1/pools', { body: declaration });
assert.equal(misspelled.error?.code, 'unknown-key');

console.log('the scenario passed');
