// Reads pURIs. By `mintmark catalog javascript`.

/** @typedef {Record<'namespace' | 'collection' | 'identifier' | 'text', string>} Puri */

/** @type {Record<string, string[]>} name, form, prefix, width */
const CODES = {
  'sc.t': ['soundcloud:tracks', 'text', '', ''],
  'sc.u': ['soundcloud:users', 'uuid', '', ''],
  'sc.p': ['soundcloud:playlists', 'number', '', ''],
};

/**
 * Reads a pURI, compact or not. `text` is the whole.
 * @param {string} text
 * @returns {Puri | null} null: malformed or unknown codes
 */
export function readPuri(text) {
  const [, codes, rest] = /^([^.:]+\.[^.:]+)\.([^:]+)$/.exec(text) ?? [];
  const row = codes && CODES[codes.toLowerCase()];
  const parts = row
    ? [...row[0].split(':'), identifier(row, decode(rest))]
    : text.split(':').map(decode);
  const [namespace, collection, id] = parts;
  const whole = parts.map(encode).join(':');
  return parts.length === 3 && parts.every(Boolean) && !text[1024] && !whole[1024]
    ? { namespace, collection, identifier: id, text: whole }
    : null;
}

/** @param {string[]} row @param {string} text */
function identifier([, form, prefix, width], text) {
  if (form === 'text') return text;
  if (form === 'number') {
    const n = BigInt(/^\d+$/.test(text) ? text : 2 ** 63);
    return n < 2 ** 63 ? prefix + String(n).padStart(+width, '0') : '';
  }
  if (!/^[\w-]{21}[AQgw]$/.test(text)) return '';
  const bits = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  const hex = bits.replace(/[^]/g, (b) => (256 + b.charCodeAt(0)).toString(16).slice(1));
  if (form === 'uuid') return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const ulid = BigInt('0x' + hex)
    .toString(32)
    .padStart(26, '0')
    .replace(/[i-v]/g, (c) => 'jkmnpqrstvwxyz'[parseInt(c, 36) - 18]);
  return form === 'ulid' ? ulid.toUpperCase() : prefix + ulid;
}

/** @param {string} segment */
function decode(segment) {
  try {
    return /^[\w.~!$&'()*+,;=@%-]+$/.test(segment) ? decodeURIComponent(segment) : '';
  } catch {
    return '';
  }
}

/** @param {string} segment */
function encode(segment) {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (c) => '%2' + '1789A'["!'()*".indexOf(c)]);
}
