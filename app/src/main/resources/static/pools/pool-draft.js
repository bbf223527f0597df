/**
 * The declaration of a pool, or a change of its settings, from what is typed into a form.
 *
 * @import {Pool} from './api.js'
 * @typedef {Readonly<Record<string, string>>} Typed the texts of the fields, by their names
 */

/** What turns a setting off. */
const NONE = 'none';

/**
 * @param {string} text names that spaces, commas or line ends separate; ranges contain no space,
 *     but runs do: `1..1000 by 100`
 * @returns {string[]}
 */
export function listedBlocks(text) {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
}

/**
 * The body of `POST /v1/pools`. Fields that are empty are left out, so that the server's defaults
 * hold; the server checks the others.
 *
 * @param {Typed} typed
 * @returns {Record<string, unknown>}
 */
export function declarationOf(typed) {
  const blocks = listedBlocks(typed.blocks ?? '');
  const exclude = listedBlocks(typed.exclude ?? '');
  return {
    name: (typed.name ?? '').trim(),
    ...rangeOrBlocks(blocks),
    ...(exclude.length ? { exclude } : {}),
    ...settingsOf(typed),
  };
}

/**
 * Runs and ranges of numbers are declared alone.
 *
 * @param {string[]} blocks
 */
function rangeOrBlocks(blocks) {
  return blocks.length === 1 && blocks[0].includes('..') ? { range: blocks[0] } : { blocks };
}

/**
 * @param {Typed} typed
 * @returns {Record<string, unknown>}
 */
function settingsOf(typed) {
  /** @type {Record<string, unknown>} */
  const settings = {};
  const thresholds = (typed.thresholds ?? '').trim();
  if (thresholds) {
    settings.thresholds = percentagesOf(thresholds);
  }
  for (const name of ['order', 'lease', 'quarantine', 'history', 'after_failover']) {
    const text = (typed[name] ?? '').trim();
    if (text) {
      settings[name] = text;
    }
  }
  for (const name of ['per_client', 'per_owner']) {
    const text = (typed[name] ?? '').trim().replaceAll(',', '');
    if (text) {
      settings[name] = Number(text);
    }
  }
  if (typed.sticky) {
    settings.sticky = typed.sticky === 'yes';
  }
  return settings;
}

/** @param {string} text percentages, or none */
function percentagesOf(text) {
  return text === NONE ? [] : listedBlocks(text).map((one) => Number(one.replace(/ ?%$/, '')));
}

/**
 * What the form that changes a pool shows at first.
 *
 * @param {Pool} pool
 * @returns {Typed}
 */
export function draftOf(pool) {
  return {
    order: pool.order,
    per_client: String(pool.per_client),
    per_owner: pool.per_owner === null ? NONE : String(pool.per_owner),
    sticky: pool.sticky ? 'yes' : 'no',
    lease: pool.lease ?? NONE,
    quarantine: pool.quarantine,
    history: pool.history ?? NONE,
    after_failover: pool.after_failover,
    thresholds: pool.thresholds.join(', ') || NONE,
  };
}

/**
 * The body of `PATCH /v1/pools/{pool}`: the fields that differ from the pool. An empty field turns
 * its setting off, as `none` does.
 *
 * @param {Typed} typed
 * @param {Pool} pool
 * @returns {Record<string, unknown>}
 */
export function changeOf(typed, pool) {
  const before = draftOf(pool);
  const differing = Object.keys(before).filter((name) => meant(typed[name]) !== before[name]);
  const settings = settingsOf(
    Object.fromEntries(
      differing.filter((name) => name !== 'per_owner').map((name) => [name, meant(typed[name])]),
    ),
  );
  if (differing.includes('per_owner')) {
    const text = meant(typed.per_owner);
    settings.per_owner = text === NONE ? 0 : Number(text.replaceAll(',', ''));
  }
  return settings;
}

/** @param {string | undefined} text */
function meant(text) {
  return (text ?? '').trim() || NONE;
}

/**
 * What is wrong with the settings before the server is asked; null if nothing is.
 *
 * @param {Typed} typed
 * @returns {{field: string, message: string} | null}
 */
export function settingProblem(typed) {
  for (const field of ['per_client', 'per_owner']) {
    if (!/^([\d,]*|none)$/.test((typed[field] ?? '').trim())) {
      return { field, message: 'Enter a whole number, or nothing.' };
    }
  }
  if (!/^(none|[\d\s,;%]*)$/.test((typed.thresholds ?? '').trim())) {
    const message = 'Enter percentages that commas separate, such as 80, 95.';
    return { field: 'thresholds', message };
  }
  return null;
}

/**
 * What is wrong with the fields before the server is asked; empty if nothing is.
 *
 * @param {Typed} typed
 * @returns {{field: string, message: string} | null}
 */
export function draftProblem(typed) {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test((typed.name ?? '').trim())) {
    const message = 'Enter a name of lower-case letters, digits and hyphens, at most 63.';
    return { field: 'name', message };
  }
  if (listedBlocks(typed.blocks ?? '').length === 0) {
    return { field: 'blocks', message: 'Enter at least one block, such as 10.0.0.0/24 or 1..100.' };
  }
  return settingProblem(typed);
}
