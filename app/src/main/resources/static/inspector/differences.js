/**
 * What lies between identifiers: time, and the order of their texts and of their bytes.
 */

const NANOS_A_SECOND = 1_000_000_000n;

/** The greatest unit first. @type {[unit: string, nanos: bigint][]} */
const UNITS = [
  ['year', 31_556_952n * NANOS_A_SECOND],
  ['day', 86_400n * NANOS_A_SECOND],
  ['h', 3_600n * NANOS_A_SECOND],
  ['min', 60n * NANOS_A_SECOND],
  ['s', NANOS_A_SECOND],
  ['ms', 1_000_000n],
  ['µs', 1_000n],
  ['ns', 1n],
];
/** Units that have a plural; the others are symbols. */
const WORDS = ['year', 'day'];

/**
 * An instant of the API, which has up to nine digits after the second.
 *
 * @param {string} iso
 * @returns {bigint | null} nanoseconds since 1970; null if it is no instant
 */
export function nanosOf(iso) {
  const found = /^(.*T\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(iso);
  const millis = found ? Date.parse(`${found[1]}Z`) : NaN;
  if (!found || Number.isNaN(millis)) {
    return null;
  }
  return BigInt(millis) * 1_000_000n + BigInt((found[2] ?? '').padEnd(9, '0'));
}

/**
 * A length of time in its two greatest units: "2 ms", "3 days 4 h".
 *
 * @param {bigint} nanos not negative
 */
export function lengthOf(nanos) {
  const first = UNITS.findIndex(([, length]) => nanos >= length);
  if (first < 0) {
    return '0 ms';
  }
  let rest = nanos;
  const counts = UNITS.slice(first, first + 2).map(([unit, length]) => {
    const count = rest / length;
    rest %= length;
    return count === 0n ? '' : `${count} ${count > 1n && WORDS.includes(unit) ? `${unit}s` : unit}`;
  });
  return counts.filter(Boolean).join(' ');
}

/**
 * The distance of one time from another, in words.
 *
 * @param {string | null | undefined} time
 * @param {string | null | undefined} from
 * @param {string} name what has the other time
 * @returns {string} empty if one of them has none
 */
export function distance(time, from, name) {
  const nanos = time ? nanosOf(time) : null;
  const others = from ? nanosOf(from) : null;
  if (nanos === null || others === null) {
    return '';
  }
  if (nanos === others) {
    return `the same time as ${name}`;
  }
  return nanos > others
    ? `${lengthOf(nanos - others)} later than ${name}`
    : `${lengthOf(others - nanos)} earlier than ${name}`;
}

/**
 * Several items in ascending order: "A < B = C".
 *
 * @template Item
 * @param {{name: string, key: Item}[]} items
 * @param {(a: Item, b: Item) => number} compare
 */
export function chain(items, compare) {
  const sorted = [...items].sort((a, b) => compare(a.key, b.key));
  return sorted
    .map(({ name, key }, at) =>
      at === 0 ? name : `${compare(sorted[at - 1].key, key) === 0 ? '=' : '<'} ${name}`,
    )
    .join(' ');
}

/**
 * By code unit, which for the digits of identifiers is the order of the collation "C".
 *
 * @param {string} a
 * @param {string} b
 */
export function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}

/**
 * The order of identifiers in each respect in which all of them can be compared.
 *
 * @param {{name: string, text: string, hex: string | null, time: string | null}[]} ids at least two
 * @returns {{by: string, order: string}[]} `order` says why there is none, if there is none
 */
export function ordersOf(ids) {
  return [
    { by: 'Time', order: timeOrder(ids) },
    {
      by: 'Text',
      order: chain(
        keyed(ids, ({ text }) => text),
        byText,
      ),
    },
    { by: 'Bytes', order: byteOrder(ids) },
  ];
}

/** @param {{name: string, time: string | null}[]} ids */
function timeOrder(ids) {
  const times = keyed(ids, ({ time }) => (time ? nanosOf(time) : null));
  const without = times.filter(({ key }) => key === null).map(({ name }) => name);
  if (without.length > 0) {
    return `not comparable: ${without.join(', ')} without a time`;
  }
  return chain(times, (a, b) => compareBig(a ?? 0n, b ?? 0n));
}

/**
 * @param {bigint} a
 * @param {bigint} b
 */
function compareBig(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** @param {{name: string, hex: string | null}[]} ids */
function byteOrder(ids) {
  const lengths = new Set(ids.map(({ hex }) => (hex === null ? 0 : hex.length / 2)));
  if (lengths.has(0)) {
    return 'not comparable: the bytes of some are not known';
  }
  if (lengths.size > 1) {
    return `not comparable: ${[...lengths].sort((a, b) => a - b).join(' and ')} bytes`;
  }
  return chain(
    keyed(ids, ({ hex }) => String(hex)),
    byText,
  );
}

/**
 * @template {{name: string}} Id
 * @template Key
 * @param {Id[]} ids
 * @param {(id: Id) => Key} keyOf
 */
function keyed(ids, keyOf) {
  return ids.map((id) => ({ name: id.name, key: keyOf(id) }));
}
