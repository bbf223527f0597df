import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AROUND, placeOf, segmentsOf } from '../../../main/resources/static/inspector/segments.js';

test('a short text is shown whole, with its marks', () => {
  const found = [
    { start: 3, end: 5 },
    { start: 5, end: 6 },
  ];
  assert.deepEqual(segmentsOf('id=ABc.', found), [
    { text: 'id=' },
    { text: 'AB', mark: 0 },
    { text: 'c', mark: 1 },
    { text: '.' },
  ]);
});

test('what is far from every mark is left out and counted', () => {
  const far = '-'.repeat(10 * AROUND);
  const text = `${far}A${far}B${far}`;
  const at = [text.indexOf('A'), text.indexOf('B')];
  const segments = segmentsOf(
    text,
    at.map((start) => ({ start, end: start + 1 })),
  );
  const shown = segments.map((one) => ('omitted' in one ? one.omitted : one.text.length));
  assert.deepEqual(shown, [
    9 * AROUND,
    AROUND,
    1,
    AROUND,
    8 * AROUND,
    AROUND,
    1,
    AROUND,
    9 * AROUND,
  ]);
  const sum = shown.reduce((a, b) => a + b, 0);
  assert.equal(sum, text.length);
});

test('no character is cut in two', () => {
  const text = `A${'😀'.repeat(10 * AROUND)}`;
  const [, head, omitted] = segmentsOf(text, [{ start: 0, end: 1 }]);
  assert.ok('text' in head && !/\p{Surrogate}/u.test(head.text));
  assert.ok('omitted' in omitted && omitted.omitted % 2 === 0);
});

test('a mark within another is left out', () => {
  const found = [
    { start: 0, end: 4 },
    { start: 2, end: 3 },
  ];
  assert.deepEqual(segmentsOf('ABCD', found), [{ text: 'ABCD', mark: 0 }]);
});

test('a text without marks is cut at its end', () => {
  const [omitted] = segmentsOf('x'.repeat(1_000_000), []);
  assert.deepEqual(omitted, { omitted: 1_000_000 });
});

test('a place is counted in lines and columns from 1', () => {
  assert.deepEqual(placeOf('abc', 0), { line: 1, column: 1 });
  assert.deepEqual(placeOf('a\r\nb\ncd', 6), { line: 3, column: 2 });
});
