import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '../../../main/resources/static/common/store.js';

const withCount = (state, count) => ({ ...state, count });
const withName = (state, name) => ({ ...state, name });

test('an update replaces the state and calls every subscriber', () => {
  const store = new Store({ count: 1, name: 'a' });
  const seen = [];
  store.subscribe(() => seen.push(store.state.count));
  store.subscribe(() => seen.push(store.state.count * 10));

  store.update(withCount, 2);

  assert.deepEqual(store.state, { count: 2, name: 'a' });
  assert.deepEqual(seen, [2, 20]);
});

test('an update that returns the same state calls no subscriber', () => {
  const store = new Store({ count: 1 });
  store.subscribe(() => assert.fail('called'));

  store.update((state) => state);
});

test('a watcher is called at once, and then only when one of its parts has changed', () => {
  const store = new Store({ count: 1, name: 'a' });
  const shown = [];
  store.watch(
    ({ count }) => [count],
    (count) => shown.push(count),
  );

  store.update(withName, 'b');
  store.update(withCount, 2);
  store.update(withCount, 2);

  assert.deepEqual(shown, [1, 2]);
});

test('after an update by a subscriber, watchers get each new part once', () => {
  const store = new Store({ count: 1, name: 'a' });
  const shown = [];
  store.watch(
    ({ count }) => [count],
    (count) => store.update(withName, `name of ${count}`),
  );
  store.watch(
    ({ count, name }) => [count, name],
    (count, name) => shown.push(`${count}: ${name}`),
  );

  store.update(withCount, 2);

  assert.deepEqual(shown, ['1: name of 1', '2: name of 2']);
});
