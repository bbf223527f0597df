/**
 * The arithmetic of a pool's values. An IPv4 address, an IPv6 address and a plain number are each a
 * BigInt and the family that determines its text.
 *
 * @import {PoolMapBlock} from './api.js'
 * @typedef {'ipv4' | 'ipv6' | 'number'} Family
 * @typedef {{family: Family, number: bigint}} Value
 */

/**
 * @typedef {object} Cell a value as the map shows it
 * @property {string} value
 * @property {bigint} number its column is this modulo the number of columns; the number of an
 *   address is the address itself, so that a row is a prefix
 */

/**
 * @param {string} text
 * @returns {Value | null} null if it is neither an address nor a number
 */
function parseValue(text) {
  if (/^\d{1,18}$/.test(text)) {
    return { family: 'number', number: BigInt(text) };
  }
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const octets = text.split('.').map(Number);
    return octets.some((octet) => octet > 255)
      ? null
      : { family: 'ipv4', number: octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n) };
  }
  return parseIpv6(text);
}

/** @param {string} text */
function parseIpv6(text) {
  if (!/^[0-9a-f:]{2,39}$/i.test(text)) {
    return null;
  }
  const halves = text.split('::').map((half) => (half ? half.split(':') : []));
  const given = halves.flat();
  if (halves.length > 2 || given.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) {
    return null;
  }
  if (halves.length === 1 ? given.length !== 8 : given.length > 7) {
    return null;
  }
  const zeros = Array(8 - given.length).fill('0');
  const groups = halves.length === 1 ? given : [...halves[0], ...zeros, ...halves[1]];
  const number = groups.reduce((sum, group) => (sum << 16n) + BigInt(parseInt(group, 16)), 0n);
  return { family: /** @type {Family} */ ('ipv6'), number };
}

/**
 * The canonical text; for IPv6 that of RFC 5952.
 *
 * @param {Value} value
 */
function formatValue({ family, number }) {
  if (family === 'number') {
    return number.toString();
  }
  if (family === 'ipv4') {
    const address = Number(number);
    return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
  }
  return formatIpv6(number);
}

/** @param {bigint} number */
function formatIpv6(number) {
  const digits = number.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
  const groups = digits.map((group) => group.replace(/^0{1,3}/, ''));
  const { at, length } = longestRunOfZeros(groups);
  return length < 2
    ? groups.join(':')
    : `${groups.slice(0, at).join(':')}::${groups.slice(at + length).join(':')}`;
}

/** @param {string[]} groups */
function longestRunOfZeros(groups) {
  let longest = { at: 0, length: 0 };
  let length = 0;
  groups.forEach((group, at) => {
    length = group === '0' ? length + 1 : 0;
    if (length > longest.length) {
      longest = { at: at - length + 1, length };
    }
  });
  return longest;
}

/**
 * The canonical text of a value, for any text of an IPv6 address or prefix; other texts stay as they are.
 *
 * @param {string} text
 */
export function canonical(text) {
  const [address, length] = text.split('/');
  const value = text.includes(':') ? parseValue(address) : null;
  if (!value) {
    return text;
  }
  return formatValue(value) + (length === undefined ? '' : `/${length}`);
}

/**
 * All values of the stretches, one after the other.
 *
 * @param {PoolMapBlock[]} stretches
 * @returns {Cell[]}
 */
export function cellsOf(stretches) {
  return stretches.flatMap((stretch) => {
    const cellAt = cellsIn(stretch);
    return Array.from({ length: stretch.count }, (_, at) => cellAt(at));
  });
}

/**
 * @param {PoolMapBlock} stretch
 * @returns {(at: number) => Cell}
 */
function cellsIn({ block, first, values }) {
  if (values) {
    return (at) => ({ value: values[at], number: BigInt(at) });
  }
  const [range, length] = block.split(' by ');
  if (length?.startsWith('/')) {
    return prefixesFrom(first);
  }
  if (length) {
    return runsIn(range, BigInt(length), first);
  }
  const value = parseValue(first);
  if (!value) {
    throw new Error(`block ${block}: ${first} is neither an address nor a number`);
  }
  return (at) => {
    const number = value.number + BigInt(at);
    return { value: formatValue({ family: value.family, number }), number };
  };
}

/**
 * Prefixes of one length: `10.0.0.16/28`, `10.0.0.32/28`. The number of one is that of its leading
 * bits, so that a row of the map is a shorter prefix.
 *
 * @param {string} first
 * @returns {(at: number) => Cell}
 */
function prefixesFrom(first) {
  const [address, length] = first.split('/');
  const value = parseValue(address);
  if (!value) {
    throw new Error(`${first} is not a prefix`);
  }
  const hostBits = BigInt((value.family === 'ipv4' ? 32 : 128) - Number(length));
  return (at) => {
    const number = (value.number >> hostBits) + BigInt(at);
    const network = formatValue({ family: value.family, number: number << hostBits });
    return { value: `${network}/${length}`, number };
  };
}

/**
 * The values of `1..250 by 100`: `1..100`, `101..200`, `201..250`.
 *
 * @param {string} range
 * @param {bigint} length
 * @param {string} first the run to start with
 * @returns {(at: number) => Cell}
 */
function runsIn(range, length, first) {
  const [start, end] = range.split('..').map(BigInt);
  const firstRun = (BigInt(first.split('..')[0]) - start) / length;
  return (at) => {
    const number = firstRun + BigInt(at);
    const from = start + number * length;
    const to = from + length - 1n < end ? from + length - 1n : end;
    return { value: from === to ? String(from) : `${from}..${to}`, number };
  };
}
