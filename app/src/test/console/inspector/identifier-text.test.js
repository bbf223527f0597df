import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOneIdentifier } from '../../../main/resources/static/inspector/identifier-text.js';

test('only what looks like one identifier is one', () => {
  for (const id of [
    '01FZG96YPZK4SANAG1ZM5T2K9Z',
    '017fe093-7adf-9932-aaaa-01fd0ba14d3f',
    '{017fe093-7adf-9932-aaaa-01fd0ba14d3f}',
    'urn:uuid:017fe093-7adf-9932-aaaa-01fd0ba14d3f',
    'AX/gk3rfmTKqqgH9C6FNPw==',
    'user_01h455vb4pex5vsknk084sn02q',
    '38352658567418872',
    `0b${'1'.repeat(128)}`,
  ]) {
    assert.ok(isOneIdentifier(id), id);
  }
  for (const text of [
    'two words',
    'a\nb',
    'https://example.org/01FZG96YPZK4SANAG1ZM5T2K9Z',
    '{"id":"01FZG96YPZK4SANAG1ZM5T2K9Z"}',
    'password=01FZG96YPZK4SANAG1ZM5T2K9Z',
    'a'.repeat(131),
    '',
  ]) {
    assert.ok(!isOneIdentifier(text), text);
  }
});
