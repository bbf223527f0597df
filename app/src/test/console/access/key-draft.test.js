import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../../../main/resources/static/access/csv.js';
import {
  keyProblem,
  keyRequestOf,
  stateOf,
} from '../../../main/resources/static/access/key-draft.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const TYPED = { name: ' billing ', scopes: 'claim:p, pools:read\nids:read', owner: '', days: '' };

test('what was typed becomes a request', () => {
  assert.deepEqual(keyRequestOf(TYPED, NOW), {
    name: 'billing',
    scopes: ['claim:p', 'pools:read', 'ids:read'],
  });
  assert.deepEqual(keyRequestOf({ ...TYPED, owner: ' acme', days: '2' }, NOW), {
    name: 'billing',
    scopes: ['claim:p', 'pools:read', 'ids:read'],
    owner: 'acme',
    expires_at: '2026-11-24T12:00:00.000Z',
  });
});

test('what is missing or malformed is said', () => {
  assert.equal(keyProblem(TYPED), '');
  assert.equal(keyProblem({ ...TYPED, days: ' 90 ' }), '');
  assert.match(keyProblem({ ...TYPED, name: ' ' }), /name is missing/);
  assert.match(keyProblem({ ...TYPED, scopes: ' ' }), /scope is missing/);
  for (const days of ['0', '-1', '1.5', 'x', '100000']) {
    assert.match(keyProblem({ ...TYPED, days }), /expected 1 to 99999/, days);
  }
});

test('a key is in use until it is revoked or expires', () => {
  const never = { expires_at: null, revoked_at: null };
  assert.equal(stateOf(never, NOW), 'in use');
  assert.equal(stateOf({ ...never, expires_at: '2026-11-22T12:00:01Z' }, NOW), 'in use');
  assert.equal(stateOf({ ...never, expires_at: '2026-11-22T12:00:00Z' }, NOW), 'expired');
  assert.equal(stateOf({ ...never, revoked_at: '2026-11-22T11:00:00Z' }, NOW), 'revoked');
});

test('CSV quotes, and no text is a formula', () => {
  const entry = {
    id: '1',
    at: '2026-11-22T12:00:00Z',
    actor: 'key:a',
    actor_name: 'a "b"',
    source: '::1',
    action: 'createPool',
    target: '=1+1',
    detail: 'two\nlines, and a comma',
    outcome: null,
    request_id: 'r-1',
  };
  assert.equal(
    csvOf([entry]),
    'id,at,actor,actor_name,source,action,target,detail,outcome,request_id\n' +
      '1,2026-11-22T12:00:00Z,key:a,"a ""b""",::1,createPool,\'=1+1,"two\nlines, and a comma",,r-1\n',
  );
});
