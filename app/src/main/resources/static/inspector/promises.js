/**
 * What each kind and each order promises, in plain sentences. Tests compare the bits with the
 * layouts of the library, the years with docs/limits.md, and the orders with docs/mints.md.
 *
 * @typedef {object} KindPromise
 * @property {string} kind as readings name it
 * @property {Record<string, number>} bits how many each part has
 * @property {number} [until] the year in which its time ends
 * @property {string} text
 */

/** @type {KindPromise[]} */
export const PROMISES = [
  {
    kind: 'uuidv1',
    bits: { Time: 60, Counter: 14, Node: 48, Version: 4, Variant: 2 },
    until: 5236,
    text: 'Contains the time in steps of 100 ns and the address of the machine, or random bits in its place. Does not sort by time: the lowest bits of the time come first.',
  },
  {
    kind: 'uuidv3',
    bits: { 'Random or content': 122, 'Version': 4, 'Variant': 2 },
    text: 'The same namespace and name always give the same id. Contains no time and has no order. MD5 does not protect the name: whoever can guess it can check it.',
  },
  {
    kind: 'uuidv4',
    bits: { 'Random or content': 122, 'Version': 4, 'Variant': 2 },
    text: 'Everything but version and variant is random. Reveals nothing and has no order.',
  },
  {
    kind: 'uuidv5',
    bits: { 'Random or content': 122, 'Version': 4, 'Variant': 2 },
    text: 'The same namespace and name always give the same id. Contains no time and has no order. SHA-1 does not protect the name: whoever can guess it can check it.',
  },
  {
    kind: 'uuidv6',
    bits: { Time: 60, Counter: 14, Node: 48, Version: 4, Variant: 2 },
    until: 5236,
    text: 'The fields of version 1 with the highest bits of the time first, so it sorts by time.',
  },
  {
    kind: 'uuidv7',
    bits: { 'Time': 48, 'Random or content': 74, 'Version': 4, 'Variant': 2 },
    until: 10889,
    text: 'Sorts by its millisecond. The order within a millisecond depends on who generates it.',
  },
  {
    kind: 'uuidv8',
    bits: { 'Random or content': 122, 'Version': 4, 'Variant': 2 },
    text: 'Its generator chooses all bits but version and variant. Without the generator nobody can say whether it is unique or sorts by time.',
  },
  {
    kind: 'uuidv7-draft',
    bits: { 'Time': 48, 'Counter': 12, 'Random or content': 62, 'Version': 4, 'Variant': 2 },
    until: 4147,
    text: 'A draft of 2021, which the standard replaced: 36 bits of seconds, then 12 bits of milliseconds. Sorts by its millisecond, and then by its counter if one process generates it.',
  },
  {
    kind: 'ulid',
    bits: { 'Time': 48, 'Random or content': 80 },
    until: 10889,
    text: 'Sorts by its millisecond, as text and as bytes. It has no version: only its form says that it is a ULID, so a program must know that it reads one.',
  },
  {
    kind: 'typeid',
    bits: { 'Time': 48, 'Random or content': 74, 'Version': 4, 'Variant': 2 },
    until: 10889,
    text: 'A UUIDv7 after the name of its type. Ids of one type sort by their millisecond.',
  },
  {
    kind: 'ksuid',
    bits: { 'Time': 32, 'Random or content': 128 },
    until: 2150,
    text: 'Sorts by its second. Ids of one second have no order.',
  },
  {
    kind: 'objectid',
    bits: { 'Time': 32, 'Random or content': 40, 'Counter': 24 },
    until: 2106,
    text: 'Sorts by its second. The random bits are those of a process, whose ids count upwards.',
  },
  {
    kind: 'xid',
    bits: { Time: 32, Node: 40, Counter: 24 },
    until: 2106,
    text: 'Sorts by its second. Machine and process keep it unique; the counter gives the ids of a process their order.',
  },
  {
    kind: 'tsid',
    bits: { 'Time': 42, 'Random or content': 22 },
    until: 2159,
    text: 'Sorts by its millisecond and fits into a bigint. The last 22 bits are shared by node, counter and random bits, as its generator chooses.',
  },
  {
    kind: 'nanoid',
    bits: { 'Random or content': 126 },
    text: 'Every character is random. Reveals nothing and has no order.',
  },
];

/** @param {string} kind */
export function promiseOf(kind) {
  return PROMISES.find((promise) => promise.kind === kind) ?? null;
}

/**
 * The promise of a kind in sentences.
 *
 * @param {string} kind
 * @returns {string} empty if nothing is known
 */
export function promiseText(kind) {
  const promise = promiseOf(kind);
  if (!promise) {
    return '';
  }
  const bits = Object.entries(promise.bits).map(
    ([part, count]) => `${part.toLowerCase()} ${count}`,
  );
  const end = promise.until ? ` Its time ends in the year ${promise.until}.` : '';
  return `${promise.text} Bits: ${bits.join(', ')}.${end}`;
}

/** What each order promises of the ids of one millisecond. */
export const ORDERS = [
  { order: 'random', promise: 'no order' },
  {
    order: 'ascending',
    promise: 'each is greater than every one that was returned before it was requested',
  },
  {
    order: 'per-thread',
    promise: 'each is greater than the one before of the same thread; threads have no order',
  },
  {
    order: 'spec',
    promise: 'each is the one before plus one (ULID) or plus a random step (UUIDv7)',
  },
  {
    order: 'microsecond',
    promise: 'in the order of a finer clock; no order within one of its ticks',
  },
];
