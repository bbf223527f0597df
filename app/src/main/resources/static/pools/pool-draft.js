/**
 * The declaration of a pool, or a change of its settings, from what is typed into a form.
 *
 * @typedef {Readonly<Record<string, string>>} Typed the texts of the fields, by their names
 */

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
  for (const field of ['per_client', 'per_owner']) {
    if (!/^[\d,]*$/.test((typed[field] ?? '').trim())) {
      return { field, message: 'Enter a whole number, or nothing.' };
    }
  }
  return null;
}
