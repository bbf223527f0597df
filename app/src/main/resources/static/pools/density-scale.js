/**
 * How a part of a density is drawn: in one of six shades, by the share of its values that are held
 * or quarantined. The scale is logarithmic, because 20 held values of a /64 must be seen.
 *
 * @import {DensityPart} from './api.js'
 */
import { counted } from '../common/numbers.js';

/** The first shade is for nothing at all; the last one for everything. */
export const SHADES = 6;
const SHARES = [0.001, 0.01, 0.1, 0.5];

/** @param {DensityPart} part */
export function shadeOf({ held, quarantined, size, excluded }) {
  const used = held + quarantined;
  if (used === 0) {
    return 0;
  }
  const share = used / Math.max(1, size - excluded);
  return 1 + SHARES.filter((least) => share >= least).length;
}

/**
 * The number of held values in few characters: 20, 1.2k, 3M; empty for none.
 *
 * @param {number} held
 */
export function shortCount(held) {
  if (held === 0) {
    return '';
  }
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 }).format(
    held,
  );
}

/**
 * A part in words, for its name.
 *
 * @param {DensityPart} part
 */
export function partText(part) {
  const { held, quarantined, draining, excluded, size } = part;
  const counts = [
    `${counted(held)} held`,
    ...(quarantined ? [`${counted(quarantined)} quarantined`] : []),
    ...(draining ? [`${counted(draining)} draining`] : []),
    ...(excluded ? [`${counted(excluded)} excluded`] : []),
  ];
  return `${partName(part)}: ${counts.join(', ')} of ${counted(size)}`;
}

/** @param {DensityPart} part */
export function partName({ cidr, first, last }) {
  if (cidr) {
    return cidr;
  }
  return first === last ? first : `${first}–${last}`;
}

/**
 * Where a key leads from a part; null if the key does not move.
 *
 * @param {string} key
 * @param {number} at
 * @param {number} columns
 * @param {number} count
 */
export function partMoved(key, at, columns, count) {
  /** @type {Record<string, number>} */
  const steps = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined ? null : to >= 0 && to < count ? to : at;
}
