import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical, cellsOf } from '../../../main/resources/static/pools/values.js';

function valuesOf(block, first, count, values = null) {
  return cellsOf([{ block, first, count, values }]).map(({ value }) => value);
}

test('the values of a network follow its first address', () => {
  assert.deepEqual(valuesOf('10.0.0.0/23', '10.0.0.254', 3), [
    '10.0.0.254',
    '10.0.0.255',
    '10.0.1.0',
  ]);
});

test('the number of an address is the address', () => {
  const [cell] = cellsOf([{ block: '10.0.0.0/24', first: '10.0.0.1', count: 1, values: null }]);

  assert.equal(cell.number, 0x0a00_0001n);
});

test('IPv6 addresses are written as RFC 5952 says', () => {
  assert.deepEqual(valuesOf('2001:db8::/64', '2001:db8::', 2), ['2001:db8::', '2001:db8::1']);
  assert.deepEqual(valuesOf('2001:db8::/64', '2001:db8:0:1::ffff', 2), [
    '2001:db8:0:1::ffff',
    '2001:db8:0:1::1:0',
  ]);
  const texts = {
    '2001:DB8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '2001:db8:0:1:1:1:1:1': '2001:db8:0:1:1:1:1:1',
    '::': '::',
    '0:0:0:0:0:0:0:1': '::1',
    '1:0:0:0:0:0:0:0': '1::',
  };
  for (const [text, expected] of Object.entries(texts)) {
    assert.equal(canonical(text), expected);
  }
});

test('what is no IPv6 address stays as it is', () => {
  for (const text of ['10.0.0.1', '7', 'B-1', '1::2::3', '12345::', ':', '1:2:3']) {
    assert.equal(canonical(text), text);
  }
});

test('numbers may pass what JavaScript counts exactly', () => {
  assert.deepEqual(valuesOf('1..900000000000000000', '9007199254740993', 2), [
    '9007199254740993',
    '9007199254740994',
  ]);
});

test('the last run ends with its range', () => {
  assert.deepEqual(valuesOf('1..250 by 100', '101..200', 2), ['101..200', '201..250']);
  assert.deepEqual(valuesOf('1..3 by 2', '1..2', 2), ['1..2', '3']);
});

test('prefixes follow on one another', () => {
  assert.deepEqual(valuesOf('10.0.0.0/16 by /28', '10.0.0.224/28', 3), [
    '10.0.0.224/28',
    '10.0.0.240/28',
    '10.0.1.0/28',
  ]);
  assert.deepEqual(valuesOf('2001:db8::/32 by /56', '2001:db8:0:ff00::/56', 2), [
    '2001:db8:0:ff00::/56',
    '2001:db8:1::/56',
  ]);
  assert.deepEqual(valuesOf('10.0.0.0/31 by /32', '10.0.0.0/32', 2), [
    '10.0.0.0/32',
    '10.0.0.1/32',
  ]);
  const cells = [{ block: '10.0.0.0/16 by /28', first: '10.0.0.16/28', count: 1, values: null }];
  assert.equal(cellsOf(cells)[0].number, 0x0a0_0001n);
  assert.equal(canonical('2001:DB8:0:0::/56'), '2001:db8::/56');
});

test('the values of a list are listed', () => {
  assert.deepEqual(valuesOf('spring', 'B-1', 2, ['B-1', '2']), ['B-1', '2']);
});

test('a block that is not understood is named', () => {
  assert.throws(() => valuesOf('odd', 'one', 1), /block odd: one is neither/);
});
