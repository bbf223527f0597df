/**
 * The geometry of a map: how values are laid out in rows and columns, where the arrow keys lead,
 * and how a row is labelled.
 *
 * @import {PoolMapBlock} from './api.js'
 * @import {Cell} from './values.js'
 */

/**
 * How many columns a map has: the most that fit, but few for few values. They are powers of two, so
 * that a column is the low bits of an address and a row is a prefix.
 */
const COLUMNS = [
  { columns: 64, valuesMin: 513 },
  { columns: 32, valuesMin: 65 },
  { columns: 16, valuesMin: 0 },
];
const ROWS_A_PAGE = 8;
const LABEL_LENGTH_MAX = 15;
/** A map of fewer values has them written in its cells. */
const LABELLED_BELOW = 200;
const CHARACTER_PX = 8;
const LABEL_MARGIN_PX = 14;
/** In a new /24 a short label has its third number too: the row begins below this one. */
const NEW_24_BELOW = 16;

/**
 * @typedef {object} Grid
 * @property {number} columns
 * @property {number[][][]} blocks the indexes of the cells, by block and row
 * @property {number[][]} rows the same, all blocks one below the other
 * @property {Int32Array} rowOf by index
 * @property {Uint8Array} columnOf by index
 */

/**
 * @param {number} count of values
 * @param {number} widthPx
 * @param {number} cellPxMin
 */
export function columnsFor(count, widthPx, cellPxMin) {
  const fitting = COLUMNS.find(
    ({ columns, valuesMin }) => count >= valuesMin && columns * cellPxMin <= widthPx,
  );
  return (fitting ?? COLUMNS[COLUMNS.length - 1]).columns;
}

/**
 * Whether the values are written in the cells.
 *
 * @param {number} count
 */
export function isLabelled(count) {
  return count < LABELLED_BELOW;
}

/**
 * What is written in each cell: the end of an address, the last groups of a prefix, the start of a
 * run; the row has more.
 *
 * @param {PoolMapBlock[]} stretches
 * @param {Cell[]} cells the values of the stretches
 */
export function labelsOf(stretches, cells) {
  const isListed = stretches.flatMap(({ count, values }) => Array(count).fill(values !== null));
  return cells.map(({ value }, at) => {
    const short = isListed[at] ? value : shortened(value);
    const isAddress = short.includes('.') && !value.includes('/');
    return isAddress && !isListed[at] ? `.${short.split('.').pop()}` : short;
  });
}

/**
 * @param {string[]} labels
 * @param {number} widthPx
 */
export function labelledColumnsFor(labels, widthPx) {
  const longest = Math.min(LABEL_LENGTH_MAX, Math.max(...labels.map(({ length }) => length)));
  const cellPx = longest * CHARACTER_PX + LABEL_MARGIN_PX;
  return [16, 8, 4, 2].find((columns) => columns * cellPx <= widthPx) ?? 1;
}

/**
 * Lays cells out. Rows begin at multiples of the number of columns, so the first row of a /22 has a
 * gap at its network address.
 *
 * @param {PoolMapBlock[]} stretches
 * @param {Cell[]} cells the values of the stretches
 * @param {number} columns
 * @returns {Grid}
 */
export function gridOf(stretches, cells, columns) {
  const rowOf = new Int32Array(cells.length);
  const columnOf = new Uint8Array(cells.length);
  /** @type {number[][]} */
  const rows = [];
  let start = 0;
  const blocks = stretches.map(({ count }) => {
    const firstRow = rows.length;
    let rowNumber = -1n;
    for (let index = start; index < start + count; index++) {
      const { number } = cells[index];
      if (number / BigInt(columns) !== rowNumber) {
        rowNumber = number / BigInt(columns);
        rows.push([]);
      }
      rows[rows.length - 1].push(index);
      rowOf[index] = rows.length - 1;
      columnOf[index] = Number(number % BigInt(columns));
    }
    start += count;
    return rows.slice(firstRow);
  });
  return { columns, blocks, rows, rowOf, columnOf };
}

/**
 * Where a key leads from a cell; null if the key does not move.
 *
 * @param {Grid} grid
 * @param {number} index
 * @param {{key: string, ctrlKey: boolean}} event
 * @returns {number | null}
 */
export function moved(grid, index, { key, ctrlKey }) {
  const last = grid.rowOf.length - 1;
  const row = grid.rows[grid.rowOf[index]];
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'ArrowRight':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return movedVertically(grid, index, -1);
    case 'ArrowDown':
      return movedVertically(grid, index, 1);
    case 'PageUp':
      return movedVertically(grid, index, -ROWS_A_PAGE);
    case 'PageDown':
      return movedVertically(grid, index, ROWS_A_PAGE);
    case 'Home':
      return ctrlKey ? 0 : row[0];
    case 'End':
      return ctrlKey ? last : row[row.length - 1];
    default:
      return null;
  }
}

/**
 * The cell in the same column `by` rows below, or the nearest one of that row.
 *
 * @param {Grid} grid
 * @param {number} index
 * @param {number} by
 */
function movedVertically({ rows, rowOf, columnOf }, index, by) {
  const row = rows[Math.max(0, Math.min(rows.length - 1, rowOf[index] + by))];
  const distance = (/** @type {number} */ to) => Math.abs(columnOf[to] - columnOf[index]);
  return row.reduce((best, to) => (distance(to) < distance(best) ? to : best));
}

/**
 * The label of a row that begins with `value`. A narrow map has short labels, and so has a long
 * value: the end of an address, which is what differs from row to row, or the start of a run. A
 * value of a list can be any text, so it is never shortened.
 *
 * @param {string} value
 * @param {{isNarrow: boolean, isListed: boolean}} how
 */
export function rowLabel(value, { isNarrow, isListed }) {
  const isShort = !isListed && (isNarrow || value.length > LABEL_LENGTH_MAX);
  return isShort ? shortened(value) : value;
}

/** @param {string} value */
function shortened(value) {
  const [prefix, length] = value.split('/');
  if (length !== undefined) {
    return prefix.includes('.')
      ? prefix.split('.').slice(2).join('.')
      : `:${prefix.replace(/::$/, '').split(':').pop() || '0'}`;
  }
  if (value.includes('..')) {
    return value.split('..')[0];
  }
  if (value.includes('.')) {
    const [, , third, last] = value.split('.');
    return Number(last) < NEW_24_BELOW ? `${third}.${last}` : `.${last}`;
  }
  return value.includes(':') ? `:${value.slice(value.lastIndexOf(':') + 1) || '0'}` : value;
}
