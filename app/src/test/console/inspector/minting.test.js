import assert from 'node:assert/strict';
import { test } from 'node:test';
import { another, mintBody } from '../../../main/resources/static/inspector/minting.js';

/**
 * @param {string} input
 * @param {string} kind
 * @param {Record<string, string | number>} [fields]
 */
function inspection(input, kind, fields = {}) {
  return {
    input,
    readings: [
      {
        kind,
        reason: '',
        fields: Object.entries(fields).map(([name, value]) => ({
          name,
          value,
          bits: /** @type {[number, number]} */ ([0, 1]),
        })),
      },
    ],
    nearest_miss: null,
  };
}

test('another id has the kind, the prefix and the node of the first', () => {
  assert.deepEqual(another(inspection('017fe093-…', 'uuidv1')), { kind: 'uuidv1' });
  assert.deepEqual(another(inspection('old_user_01h455vb4pex5vsknk084sn02q', 'typeid')), {
    kind: 'typeid',
    prefix: 'old_user',
  });
  assert.deepEqual(
    another(inspection('1541815603606036480', 'snowflake-twitter', { datacenter: 11, worker: 26 })),
    { kind: 'snowflake', node: 378 },
  );
});

test('there is no other id of a name, of a kind that is not minted, and of nothing', () => {
  assert.equal(another(inspection('…', 'uuidv5')), null);
  assert.equal(another(inspection('…', 'sha-256')), null);
  assert.equal(another({ input: '', readings: [], nearest_miss: null }), null);
});

test('a node is sent as a number', () => {
  assert.deepEqual(mintBody('tsid', { node: '17' }), { kind: 'tsid', node: 17 });
  assert.deepEqual(mintBody('uuidv5', { namespace: 'dns', name: '7' }), {
    kind: 'uuidv5',
    namespace: 'dns',
    name: '7',
  });
});
