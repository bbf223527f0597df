/**
 * The arithmetic of a pool's values: IPv4 and IPv6 addresses and plain numbers, all as a BigInt and
 * the family that says how to write them.
 *
 * @typedef {'ipv4' | 'ipv6' | 'number'} Family
 * @typedef {{family: Family, number: bigint}} Value
 */

/**
 * @param {string} text
 * @returns {Value | null} null if it is none of the three
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
 * The canonical text; of IPv6 that of RFC 5952.
 *
 * @param {Family} family
 * @param {bigint} number
 */
function formatValue(family, number) {
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
 * The text that a value is known by, of whatever text for it; what is no address stays as it is.
 *
 * @param {string} text
 */
export function canonical(text) {
  const value = text.includes(':') ? parseValue(text) : null;
  return value ? formatValue(value.family, value.number) : text;
}

/**
 * The values of a stretch, one by one, and a number for each that says in which column it stands:
 * of an address its own, so that a row is a prefix.
 *
 * @param {{block: string, first: string, values: string[] | null}} stretch as the API tells it
 * @returns {(at: number) => {value: string, number: bigint}}
 */
export function seriesOf({ block, first, values }) {
  if (values) {
    return (at) => ({ value: values[at], number: BigInt(at) });
  }
  const [range, length] = block.split(' by ');
  if (length) {
    const [start, end] = range.split('..').map(BigInt);
    const run = BigInt(length);
    const firstRun = (BigInt(first.split('..')[0]) - start) / run;
    return (at) => {
      const number = firstRun + BigInt(at);
      const from = start + number * run;
      const to = from + run - 1n < end ? from + run - 1n : end;
      return { value: from === to ? String(from) : `${from}..${to}`, number };
    };
  }
  const value = parseValue(first);
  if (!value) {
    throw new Error(`block ${block}: ${first} is neither an address nor a number`);
  }
  return (at) => {
    const number = value.number + BigInt(at);
    return { value: formatValue(value.family, number), number };
  };
}
