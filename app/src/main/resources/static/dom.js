/**
 * Makes an element. Attributes that are null or false are left out; `on…` is a listener. Children
 * that are strings become text nodes: nothing from outside is ever read as markup.
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (typeof value === 'function') {
      made.addEventListener(name.slice(2), value);
    } else {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * The element with this id, which index.html has.
 *
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`index.html has no #${id}`);
  }
  return found;
}

/**
 * Writes `text` only where it differs, so that an unchanged live region stays silent.
 *
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/**
 * Says `text` to those who listen to the page instead of looking at it.
 *
 * @param {string} text
 */
export function announce(text) {
  const announcer = byId('announcer');
  announcer.textContent = '';
  requestAnimationFrame(() => {
    announcer.textContent = text;
  });
}

const grouping = new Intl.NumberFormat('en');
/** From here on nobody reads digits, and the numbers of JavaScript do not hold them all. */
const LEGIBLE_MAX = 1e12;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * A count for people: 2,044; one of more than twelve digits as 1.84 × 10¹⁹.
 *
 * @param {number} count
 */
export function counted(count) {
  if (count < LEGIBLE_MAX) {
    return grouping.format(count);
  }
  const [mantissa, exponent] = count.toExponential(2).split('e+');
  return `${mantissa} × 10${[...exponent].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')}`;
}
