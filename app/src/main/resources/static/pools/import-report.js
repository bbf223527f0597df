import { counted } from '../common/numbers.js';

/** @import {ImportReport} from './changes-api.js' */

/** @param {ImportReport} report */
export function reportText({ format, done, lines, claimed, held, skipped, rejected }) {
  const parts = [
    `${amount(claimed, 'value')} ${done ? 'claimed' : 'would be claimed'}`,
    held ? `${held} held already` : '',
    skipped ? `${skipped} skipped` : '',
    rejected ? `${rejected} rejected` : '',
  ];
  return `${amount(lines, 'line')} (${format}): ${parts.filter((part) => part).join(', ')}.`;
}

/**
 * @param {number} count
 * @param {string} what
 */
export function amount(count, what) {
  return `${counted(count)} ${what}${count === 1 ? '' : 's'}`;
}
