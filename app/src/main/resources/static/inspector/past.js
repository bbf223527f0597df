/** The history of the inspector: ids, the latest first, each once. */

/** More would make an address that some programs cut. */
export const PAST_MAX = 20;

/**
 * @param {string[]} past
 * @param {string[]} ids what is shown now
 */
export function remember(past, ids) {
  return [...ids.toReversed(), ...past.filter((id) => !ids.includes(id))].slice(0, PAST_MAX);
}
