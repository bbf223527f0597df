import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readPuri } from '../../../../catalog/src/test/resources/dev/mintmark/catalog/puris.js';

/** @param {string} file */
function vectors(file) {
  return JSON.parse(readFileSync(new URL(`../../../../vectors/${file}`, import.meta.url), 'utf8'));
}

test('a pURI is read as Puri.parse reads it', () => {
  const puris = vectors('puris.json');
  assert.ok(puris.length > 20);
  for (const { name, input, namespace, collection, identifier, text } of puris) {
    assert.deepEqual(readPuri(input), { namespace, collection, identifier, text }, name);
  }
});

test('a malformed pURI is null', () => {
  const malformed = vectors('puris-malformed.json');
  assert.ok(malformed.length > 20);
  for (const { name, input } of malformed) {
    assert.equal(readPuri(input), null, name);
  }
  for (const input of ['a'.repeat(1025), 'a:b:' + '!'.repeat(400), '\ud800:a:b', '::']) {
    assert.equal(readPuri(input), null, input);
  }
});

test('a compact pURI is read as Puris.parse reads it', () => {
  let compactCount = 0;
  for (const { name, compact, resolved, namespace, collection, identifier } of vectors(
    'puris-declared.json',
  )) {
    const expected = { namespace, collection, identifier, text: resolved };
    assert.deepEqual(readPuri(compact), expected, name);
    assert.deepEqual(readPuri(resolved), expected, name);
    if (!compact.includes(':')) {
      assert.deepEqual(
        readPuri(
          compact.replace(/^[^.]*\.[^.]*/, (/** @type {string} */ codes) => codes.toUpperCase()),
        ),
        expected,
        name,
      );
      compactCount++;
    }
  }
  assert.ok(compactCount > 12);
});

test('the greatest number of a sequence is read', () => {
  assert.equal(readPuri('b.p.9223372036854775807')?.identifier, 'PM9223372036854775807');
  assert.equal(readPuri('sc.t.09223372036854775807')?.identifier, '9223372036854775807');
});

test('a compact pURI is null if its codes are unknown or its identifier is malformed', () => {
  for (const input of [
    'b.x.123',
    'b.m',
    'b.m.',
    'b.m.AX_gk3rfmTKqqgH9C6FNPx',
    'b.m.AX_gk3rfmTKqqgH9C6FNP',
    'b.m.AX_gk3rfmTKqqgH9C6FN+w',
    'b.m.017fe093-7adf-9932-aaaa-01fd0ba14d3f',
    'b.p.-1',
    'b.p.1e3',
    'b.p.9223372036854775808',
    'b.p.9999999999999999999',
    'b.p.PM000123',
    'b.c.%',
    'b.c.a b',
    'constructor.prototype.x',
  ]) {
    assert.equal(readPuri(input), null, input);
  }
});
