/**
 * What the inspector asks the server to mint.
 *
 * @import {Inspection} from './api.js'
 */

/**
 * @typedef {object} MintBody
 * @property {string} kind
 * @property {number} [count]
 * @property {string} [order]
 * @property {string} [prefix]
 * @property {number} [node]
 * @property {string} [namespace]
 * @property {string} [name]
 */

/** The kinds that need nothing but their name, and what people call them. */
export const MINTED = [
  ['ulid', 'ULID'],
  ['uuidv7', 'UUIDv7'],
  ['uuidv4', 'UUIDv4'],
  ['nanoid', 'NanoID'],
  ['ksuid', 'KSUID'],
  ['objectid', 'ObjectId'],
  ['xid', 'xid'],
  ['uuidv1', 'UUIDv1'],
  ['uuidv6', 'UUIDv6'],
  ['uuidv8', 'UUIDv8'],
  ['uuidv7-draft', 'UUIDv7 of the draft'],
];

/**
 * A setting of a mint, as a form asks for it.
 *
 * @typedef {object} Setting
 * @property {'prefix' | 'node' | 'namespace' | 'name'} key
 * @property {string} label
 * @property {string} preset
 */

/** @type {Record<string, Setting>} */
const SETTINGS = {
  prefix: { key: 'prefix', label: 'Prefix', preset: 'user' },
  node: { key: 'node', label: 'Node number', preset: '1' },
  namespace: { key: 'namespace', label: 'Namespace: dns, url, oid, x500 or a UUID', preset: 'dns' },
  name: { key: 'name', label: 'Name', preset: 'example.org' },
};

/**
 * The kinds that require settings.
 *
 * @type {{kind: string, name: string, settings: Setting[]}[]}
 */
export const MINTED_WITH_SETTINGS = [
  { kind: 'typeid', name: 'TypeID', settings: [SETTINGS.prefix] },
  { kind: 'snowflake', name: 'Snowflake', settings: [SETTINGS.node] },
  { kind: 'tsid', name: 'TSID', settings: [SETTINGS.node] },
  { kind: 'uuidv5', name: 'UUIDv5', settings: [SETTINGS.namespace, SETTINGS.name] },
  { kind: 'uuidv3', name: 'UUIDv3', settings: [SETTINGS.namespace, SETTINGS.name] },
];

/** The kinds of which ids of one millisecond can have an order. */
export const ORDERED = ['ulid', 'uuidv7'];

/**
 * What makes an id of a kind with the settings that a person entered.
 *
 * @param {string} kind
 * @param {Partial<Record<Setting['key'], string>>} entered
 * @returns {MintBody}
 */
export function mintBody(kind, { node, ...texts }) {
  return node === undefined ? { kind, ...texts } : { kind, node: Number(node), ...texts };
}

/**
 * What makes another id like the likeliest reading of one.
 *
 * @param {Inspection} inspection
 * @returns {MintBody | null} null if the server mints none, or it is made of a name
 */
export function another({ input, readings: [likely] }) {
  switch (likely?.kind) {
    case undefined:
      return null;
    case 'typeid':
      return { kind: 'typeid', prefix: input.slice(0, Math.max(0, input.lastIndexOf('_'))) };
    case 'snowflake-twitter': {
      const number = (/** @type {string} */ name) =>
        Number(likely.fields.find((field) => field.name === name)?.value);
      return { kind: 'snowflake', node: number('datacenter') * 32 + number('worker') };
    }
    case 'tsid':
      return { kind: 'tsid', node: 1 };
    default:
      return MINTED.some(([kind]) => kind === likely.kind) ? { kind: likely.kind } : null;
  }
}
