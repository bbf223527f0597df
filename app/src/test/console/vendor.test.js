import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const VENDOR = new URL('../../main/resources/static/vendor/', import.meta.url);

test('the files of others are as their authors have published them', () => {
  for (const library of readdirSync(VENDOR)) {
    const folder = new URL(`${library}/`, VENDOR);
    const sums = readFileSync(new URL('SHA256SUMS', folder), 'utf8').trim().split('\n');
    const expected = Object.fromEntries(sums.map((line) => line.split(/\s+/).reverse()));
    const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
    const actual = Object.fromEntries(
      files.map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(new URL(name, folder)))
          .digest('hex'),
      ]),
    );
    assert.deepEqual(actual, expected, library);
    assert.ok(files.includes('LICENSE'), `${library} has no licence`);
  }
});
