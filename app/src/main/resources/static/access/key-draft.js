/**
 * The body of a request for a key, from what was typed.
 *
 * @param {{name: string, scopes: string, owner: string, days: string}} typed scopes are separated
 *     by spaces, commas or lines
 * @param {Date} now
 * @returns {{name: string, scopes: string[], owner?: string, expires_at?: string}}
 */
export function keyRequestOf({ name, scopes, owner, days }, now) {
  return {
    name: name.trim(),
    scopes: scopes.split(/[\s,]+/).filter(Boolean),
    ...(owner.trim() ? { owner: owner.trim() } : {}),
    ...(days.trim() ? { expires_at: inDays(Number(days), now) } : {}),
  };
}

/**
 * What is wrong with what was typed; empty if nothing is.
 *
 * @param {{name: string, scopes: string, owner: string, days: string}} typed
 */
export function keyProblem({ name, scopes, days }) {
  if (!name.trim()) {
    return 'A name is missing: what is the key for?';
  }
  if (!scopes.trim()) {
    return 'A scope is missing: what may the key do?';
  }
  return /^\s*([1-9][0-9]{0,4})?\s*$/.test(days)
    ? ''
    : 'The days until the key expires: expected 1 to 99999, or nothing.';
}

/**
 * @param {number} days
 * @param {Date} now
 */
function inDays(days, now) {
  return new Date(now.getTime() + days * 86_400_000).toISOString();
}

/**
 * Whether a key can be used.
 *
 * @param {{expires_at: string | null, revoked_at: string | null}} key
 * @param {Date} now
 * @returns {'in use' | 'revoked' | 'expired'}
 */
export function stateOf({ expires_at, revoked_at }, now) {
  if (revoked_at) {
    return 'revoked';
  }
  return expires_at && Date.parse(expires_at) <= now.getTime() ? 'expired' : 'in use';
}
