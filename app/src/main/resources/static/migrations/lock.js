import { element } from '../common/dom.js';
import { lockText } from './phases.js';

/** @import {Lock} from './api.js' */

/**
 * A lock of a step; those that block reads or writes stand out.
 *
 * @param {Lock} lock
 */
export function lockElement(lock) {
  return element('p', { 'class': 'lock', 'data-mode': lock.mode }, `Locks ${lockText(lock)}`);
}
