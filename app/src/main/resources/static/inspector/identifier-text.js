/** What may be one identifier, in any notation that the API reads; everything else is a text. */

/** 128 bits as a binary number, the longest notation. */
const LENGTH_MAX = 130;

/** Letters, digits and what stands between them; base64 has + and /, and = at its end. */
const ONE = /^\{?[\p{L}\p{N}_:.+\/-]+=*\}?$/u;

/**
 * Whether a text may be one identifier, which is then part of the address. A text of which this is
 * not certain is not, because it could contain a secret.
 *
 * @param {string} text without white space around it
 */
export function isOneIdentifier(text) {
  return text.length <= LENGTH_MAX && ONE.test(text) && !text.includes('//');
}
