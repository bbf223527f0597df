import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  labelLines,
  noteText,
  typedNote,
} from '../../../main/resources/static/pools/claim-note.js';

const NOTE = { labels: { rack: 'b7', tag: '' }, dns_name: 'web-1.example.com', description: null };

test('labels are lines that can be edited', () => {
  assert.equal(labelLines(NOTE), 'rack:b7\ntag:');
  assert.deepEqual(typedNote(labelLines(NOTE), 'web-1.example.com', ''), {
    labels: { rack: 'b7', tag: '' },
    dns_name: 'web-1.example.com',
  });
});

test('a value may have colons, and empty lines are left out', () => {
  assert.deepEqual(typedNote('\n url: http://x \n\n', ' ', ' a  b '), {
    labels: { url: 'http://x' },
    description: 'a  b',
  });
});

test('what is no label, or a second one of a key, is rejected', () => {
  assert.throws(() => typedNote('rack', '', ''), { message: '“rack”: expected key:value' });
  assert.throws(() => typedNote('a:1\na:2', '', ''), { message: 'The key “a” is there twice.' });
});

test('a note is one line of text', () => {
  assert.equal(noteText(NOTE), 'rack:b7 · tag: · web-1.example.com');
  assert.equal(noteText(null), '');
});
