/** The questions of this view by their names in the address and in requests. */
export const KEYS = ['rate', 'years', 'order', 'secret', 'size', 'read_by', 'minted_by', 'column'];

/**
 * The answers that an address has.
 *
 * @param {(key: string) => string | null} read
 * @returns {Record<string, string>}
 */
export function answersOf(read) {
  const given = KEYS.map((key) => [key, read(key)?.trim()]).filter(([, value]) => value);
  return Object.fromEntries(given);
}

/**
 * What the address has for some answers: those that are not the default ones.
 *
 * @param {Record<string, string>} answers
 * @param {Record<string, string>} defaults
 * @returns {Record<string, string[]>} each key, with no value for a default
 */
export function addressOf(answers, defaults) {
  return Object.fromEntries(
    KEYS.map((key) => {
      const value = answers[key]?.trim() ?? '';
      return [key, value === '' || value === defaults[key] ? [] : [value]];
    }),
  );
}
