import assert from 'node:assert/strict';
import test from 'node:test';

import { FIRST_PAGE, turned } from '../../../main/resources/static/common/pages.js';

test('turns to the page after', () => {
  assert.deepEqual(turned({ ...FIRST_PAGE, next: 'b' }, 1).starts, ['', 'b']);
  assert.deepEqual(turned(FIRST_PAGE, 1), FIRST_PAGE);
});

test('turns to the page before, whose next page is known', () => {
  assert.deepEqual(turned({ starts: ['', 'b', 'c'], next: 'd' }, -1), {
    starts: ['', 'b'],
    next: 'c',
  });
  assert.deepEqual(turned(FIRST_PAGE, -1), FIRST_PAGE);
});

test('a second click before the page has been loaded, or after it could not be, skips none', () => {
  const once = turned({ ...FIRST_PAGE, next: 'b' }, 1);

  assert.deepEqual(turned(once, 1), once);
  assert.deepEqual(turned(turned(turned(once, -1), 1), 1), once);
});
