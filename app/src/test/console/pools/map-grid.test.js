import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnsFor,
  gridOf,
  isLabelled,
  labelledColumnsFor,
  labelsOf,
  moved,
  rowLabel,
} from '../../../main/resources/static/pools/map-grid.js';
import { cellsOf } from '../../../main/resources/static/pools/values.js';

function grid(columns, ...blocks) {
  const stretches = blocks.map(([block, first, count]) => ({ block, first, count, values: null }));
  return gridOf(stretches, cellsOf(stretches), columns);
}

/** 10.0.0.1 to 10.0.0.30 and 10.0.9.8 to 10.0.9.11, 16 to a row. */
const TWO_BLOCKS = grid(16, ['10.0.0.0/27', '10.0.0.1', 30], ['10.0.9.8/30', '10.0.9.8', 4]);

function led(index, key, ctrlKey = false) {
  return moved(TWO_BLOCKS, index, { key, ctrlKey });
}

test('a map has as many columns as fit, and few for few values', () => {
  assert.equal(columnsFor(2_044, 800, 12), 64);
  assert.equal(columnsFor(2_044, 767, 12), 32);
  assert.equal(columnsFor(2_044, 100, 12), 16);
  assert.equal(columnsFor(254, 800, 12), 32);
  assert.equal(columnsFor(14, 800, 12), 16);
});

test('rows begin at multiples of the number of columns, in each block anew', () => {
  assert.deepEqual(
    TWO_BLOCKS.rows.map((row) => row.length),
    [15, 15, 4],
  );
  assert.deepEqual(
    TWO_BLOCKS.blocks.map((rows) => rows.length),
    [2, 1],
  );
  assert.equal(TWO_BLOCKS.columnOf[0], 1);
  assert.equal(TWO_BLOCKS.columnOf[15], 0);
  assert.equal(TWO_BLOCKS.columnOf[30], 8);
});

test('the arrow keys lead to the next cell, across rows', () => {
  assert.equal(led(14, 'ArrowRight'), 15);
  assert.equal(led(15, 'ArrowLeft'), 14);
  assert.equal(led(0, 'ArrowLeft'), 0);
  assert.equal(led(33, 'ArrowRight'), 33);
});

test('up and down stay in the column, or go to the nearest there is', () => {
  assert.equal(led(0, 'ArrowDown'), 16);
  assert.equal(led(16, 'ArrowUp'), 0);
  assert.equal(led(15, 'ArrowUp'), 0);
  assert.equal(led(29, 'ArrowDown'), 33);
  assert.equal(led(0, 'ArrowUp'), 0);
  assert.equal(led(0, 'PageDown'), 30);
  assert.equal(led(33, 'PageUp'), 10);
});

test('Home and End go to the ends of the row, with Ctrl to those of the map', () => {
  assert.equal(led(20, 'Home'), 15);
  assert.equal(led(20, 'End'), 29);
  assert.equal(led(20, 'Home', true), 0);
  assert.equal(led(20, 'End', true), 33);
});

test('other keys lead nowhere', () => {
  assert.equal(led(20, 'a'), null);
});

test('labels are short in a narrow map, and if they are long', () => {
  const wide = { isNarrow: false, isListed: false };
  const narrow = { isNarrow: true, isListed: false };
  assert.equal(rowLabel('10.1.2.64', wide), '10.1.2.64');
  assert.equal(rowLabel('10.1.2.64', narrow), '.64');
  assert.equal(rowLabel('10.1.2.0', narrow), '2.0');
  assert.equal(rowLabel('2001:db8:7:0:1::40', wide), ':40');
  assert.equal(rowLabel('2001:db8:7:0:1::', wide), ':0');
  assert.equal(rowLabel('101..200', narrow), '101');
  assert.equal(rowLabel('10.1.2.64', { isNarrow: true, isListed: true }), '10.1.2.64');
});

test('a map of fewer than 200 values has them in its cells', () => {
  assert.equal(isLabelled(199), true);
  assert.equal(isLabelled(200), false);
});

test('a cell shows the end of an address, the start of a run, and all of a listed value', () => {
  const stretch = (values) => [{ block: 'b', first: '', count: 1, values }];
  const label = (value, values = null) => labelsOf(stretch(values), [{ value, number: 0n }])[0];

  assert.equal(label('10.0.0.17'), '.17');
  assert.equal(label('10.0.3.2'), '.2');
  assert.equal(label('2001:db8::1f'), ':1f');
  assert.equal(label('101..200'), '101');
  assert.equal(label('7'), '7');
  assert.equal(label('10.244.7.0/24'), '7.0');
  assert.equal(label('2001:db8:1:2300::/56'), ':2300');
  assert.equal(label('::/64'), ':0');
  assert.equal(label('B-1.5', ['B-1.5']), 'B-1.5');
});

test('cells are as wide as their labels', () => {
  assert.equal(labelledColumnsFor(['.1', '.254'], 900), 16);
  assert.equal(labelledColumnsFor(['.1', '.254'], 390), 8);
  assert.equal(labelledColumnsFor(['SPRING-2026-AB'], 300), 2);
  assert.equal(labelledColumnsFor(['SPRING-2026-AB'], 90), 1);
});
