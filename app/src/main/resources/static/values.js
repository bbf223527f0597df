/**
 * The arithmetic of a pool's values: IPv4 and IPv6 addresses and plain numbers, all as a BigInt and
 * the family that says how to write them.
 *
 * @typedef {'ipv4' | 'ipv6' | 'number'} Family
 * @typedef {{family: Family, number: bigint}} Value
 * @typedef {{family: Family, first: bigint, last: bigint}} Range both ends included
 */

/**
 * @param {string} text
 * @returns {Value | null} null if it is none of the three
 */
export function parseValue(text) {
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
 * The canonical text; of IPv6 that of RFC 5952.
 *
 * @param {Family} family
 * @param {bigint} number
 */
export function formatValue(family, number) {
  if (family === 'number') {
    return number.toString();
  }
  if (family === 'ipv4') {
    const address = Number(number);
    return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
  }
  const groups = number.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
  const short = groups.map((group) => group.replace(/^0{1,3}/, ''));
  let run = { at: 0, length: 1 };
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && short[end] === '0') {
      end++;
    }
    if (end - at > run.length) {
      run = { at, length: end - at };
    }
  }
  return run.length < 2
    ? short.join(':')
    : `${short.slice(0, run.at).join(':')}::${short.slice(run.at + run.length).join(':')}`;
}

/**
 * Reads what a pool is declared with: a CIDR block, `0..1023`, or one value.
 *
 * @param {string} text
 * @returns {Range | null}
 */
function parseRange(text) {
  const [from, to] = text.split('..');
  const [address, length] = text.split('/');
  if (to !== undefined) {
    const first = parseValue(from);
    const last = parseValue(to);
    return first && last ? { family: first.family, first: first.number, last: last.number } : null;
  }
  const value = parseValue(address);
  if (!value || length === undefined) {
    return value && { family: value.family, first: value.number, last: value.number };
  }
  const hostBits = BigInt((value.family === 'ipv4' ? 32 : 128) - Number(length));
  return { family: value.family, first: value.number, last: value.number + (1n << hostBits) - 1n };
}

/**
 * The block as it is handed out: the first and the last address of an IPv4 block are not, unless it
 * is a /31 or a /32.
 *
 * @param {string} block
 */
function handedOut(block) {
  const range = parseRange(block);
  return range?.family === 'ipv4' && range.last - range.first >= 3n
    ? { ...range, first: range.first + 1n, last: range.last - 1n }
    : range;
}

/**
 * Where in the pool a value stands, counted over its blocks in their order without what is excluded.
 *
 * @param {{blocks: string[], exclude?: string[]}} pool
 * @param {Value} value
 * @returns {number | null} null if no block of the pool has it
 */
export function positionOf(pool, value) {
  const gaps = merged((pool.exclude ?? []).map(parseRange).filter((gap) => gap !== null));
  let before = 0n;
  for (const block of pool.blocks) {
    const range = handedOut(block);
    if (!range || range.family !== value.family) {
      return null;
    }
    if (value.number >= range.first && value.number <= range.last) {
      return Number(before + countOf({ ...range, last: value.number - 1n }, gaps));
    }
    before += countOf(range, gaps);
  }
  return null;
}

/**
 * @param {Range} range
 * @param {Range[]} gaps
 */
function countOf({ first, last }, gaps) {
  return gaps.reduce(
    (count, gap) => {
      const from = gap.first > first ? gap.first : first;
      const to = gap.last < last ? gap.last : last;
      return to >= from ? count - (to - from + 1n) : count;
    },
    last - first + 1n,
  );
}

/** @param {Range[]} ranges */
function merged(ranges) {
  /** @type {Range[]} */
  const disjoint = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const previous = disjoint.at(-1);
    if (previous && range.first <= previous.last) {
      previous.last = range.last > previous.last ? range.last : previous.last;
    } else {
      disjoint.push({ ...range });
    }
  }
  return disjoint;
}
