const grouping = new Intl.NumberFormat('en');
/** Longer numbers are hard to read, and JavaScript's numbers do not hold all of their digits. */
const LEGIBLE_MAX = 1e12;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * A count for people: 2,044; one of more than twelve digits as 1.84 × 10¹⁹.
 *
 * @param {number} count
 */
export function counted(count) {
  if (count < LEGIBLE_MAX) {
    return grouping.format(count);
  }
  const [mantissa, exponent] = count.toExponential(2).split('e+');
  return `${mantissa} × 10${[...exponent].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')}`;
}

/**
 * A share for people: 0 % only of nothing, 100 % only of everything.
 *
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  if (part === 0 || whole === 0) {
    return '0 %';
  }
  if (part === whole) {
    return '100 %';
  }
  const share = (100 * part) / whole;
  if (share < 0.1) {
    return 'under 0.1 %';
  }
  const digits = share < 10 || share > 99 ? 1 : 0;
  return `${Math.min(99.9, share).toFixed(digits)} %`;
}
