import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText } from '../../../main/resources/static/common/bytes.js';

test('bytes have a unit of 1,024', () => {
  assert.equal(bytesText(0), '0 bytes');
  assert.equal(bytesText(1_023), '1023 bytes');
  assert.equal(bytesText(1_536), '1.5 KiB');
  assert.equal(bytesText(20 * 2 ** 30), '20 GiB');
  assert.equal(bytesText(2 ** 60), '1024 PiB');
});
