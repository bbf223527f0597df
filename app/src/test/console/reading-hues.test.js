import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { huesOf } from '../../main/resources/static/reading-hues.js';

const layouts = readFileSync('../core/src/main/java/dev/mintmark/Layout.java', 'utf8');

/** The fields of each row of the table of layouts, in their order. */
const rows = layouts
  .split(/\n {2}[A-Z][A-Z_0-9]*\(\n/)
  .slice(1)
  .map((row) =>
    [
      ...row.matchAll(/\b(?:(ver)sion|(var)iant|(?:plain|ticks|random|fixed)\(\s*\d+,\s*"(\w+)")/g),
    ].map(([, ver, variant, name]) => ({ name: ver ?? variant ?? name })),
  );

test('a part has the same hue in every kind', () => {
  assert.ok(rows.length > 25, `${rows.length} rows`);
  const hueOf = new Map();
  for (const fields of rows) {
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
