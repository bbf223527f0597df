/** The cells of a map: made, drawn, and found again. */

/**
 * Made without `element`, because a window has thousands of cells.
 *
 * @param {number} index
 * @param {string} value
 * @param {string} state
 */
export function cellElement(index, value, state) {
  const cell = document.createElement('div');
  cell.className = 'cell';
  cell.setAttribute('role', 'gridcell');
  cell.setAttribute('data-testid', 'cell');
  cell.dataset.value = value;
  cell.dataset.index = String(index);
  cell.tabIndex = -1;
  cell.setAttribute('aria-selected', 'false');
  paint(cell, value, state);
  return cell;
}

/**
 * @param {HTMLElement} cell
 * @param {string} value
 * @param {string} state
 */
export function paint(cell, value, state) {
  cell.dataset.state = state;
  cell.setAttribute('aria-label', `${value}, ${state}`);
}

/** @param {EventTarget | null} target */
export function indexOf(target) {
  const cell = target instanceof Element ? target.closest('.cell') : null;
  return cell instanceof HTMLElement ? Number(cell.dataset.index) : null;
}
