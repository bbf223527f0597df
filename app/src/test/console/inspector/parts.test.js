import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hexOf, huesOf, PARTS } from '../../../main/resources/static/inspector/parts.js';
import { layouts } from './layouts.js';

test('a part has the same hue in every kind', () => {
  assert.ok(layouts.length > 25, `${layouts.length} rows`);
  const hueOf = new Map();
  for (const { fields } of layouts) {
    huesOf(fields).forEach((hue, i) => {
      const { name } = fields[i];
      assert.equal(hue, hueOf.get(name) ?? hue, name);
      hueOf.set(name, hue);
    });
  }
  assert.equal(hueOf.get('rand'), hueOf.get('rand_b'));
  assert.equal(hueOf.get('unix_ts'), hueOf.get('timestamp'));
  assert.equal(hueOf.get('ver'), 'orange');
});

test('each part has a hue of its own', () => {
  assert.equal(new Set(PARTS.map(({ hue }) => hue)).size, PARTS.length);
});

test('the bytes are those of the hex form, or else of the uuid form', () => {
  assert.equal(hexOf({ forms: { hex: 'AB01' } }), 'ab01');
  assert.equal(hexOf({ forms: { uuid: '017fe093-7adf' } }), '017fe0937adf');
  assert.equal(hexOf({ forms: { text: 'x' } }), null);
  assert.equal(hexOf({}), null);
});
