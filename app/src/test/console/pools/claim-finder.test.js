import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALL_CLAIMS,
  describeSearch,
  queryOf,
} from '../../../main/resources/static/pools/claim-finder.js';

test('a search is a parameter of the API', () => {
  assert.deepEqual(queryOf({ by: 'client', text: 'vm-4' }), { client_prefix: 'vm-4' });
  assert.deepEqual(queryOf({ by: 'owner', text: 'acme' }), { owner_prefix: 'acme' });
  assert.deepEqual(queryOf({ by: 'label', text: 'rack:b' }), { label_prefix: 'rack:b' });
  assert.deepEqual(queryOf({ by: 'label', text: 'rack' }), { label_prefix: 'rack:' });
  assert.deepEqual(queryOf(ALL_CLAIMS), {});
});

test('a search that finds nothing is described', () => {
  assert.equal(describeSearch({ by: 'owner', text: 'ac' }), ' with an owner that begins with “ac”');
  assert.equal(
    describeSearch({ by: 'client', text: 'vm' }),
    ' with a client that begins with “vm”',
  );
  assert.equal(describeSearch(ALL_CLAIMS), '');
});
