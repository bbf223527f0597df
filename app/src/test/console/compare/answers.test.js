import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, answersOf } from '../../../main/resources/static/compare/answers.js';

test('the answers of an address are those that it names', () => {
  const address = new URLSearchParams('view=compare&rate= 1M &order=time&size=&other=1');
  assert.deepEqual(
    answersOf((key) => address.get(key)),
    { rate: '1M', order: 'time' },
  );
});

test('the address has no default answer', () => {
  const address = addressOf(
    { rate: ' 1M ', years: '', order: 'none', column: 'uuid' },
    { rate: '1000000', years: '1', order: 'none', column: 'new' },
  );
  assert.deepEqual(address.rate, ['1M']);
  assert.deepEqual(address.column, ['uuid']);
  assert.deepEqual(
    Object.values(address).filter((values) => values.length > 0),
    [['1M'], ['uuid']],
  );
});
