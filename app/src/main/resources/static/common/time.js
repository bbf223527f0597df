/** @type {[Intl.RelativeTimeFormatUnit, number][]} the seconds of each unit */
const UNITS = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * The distance of an instant from now: "3 years ago", "in 12 seconds".
 *
 * @param {number} instant milliseconds since 1970-01-01T00:00:00Z
 */
function relative(instant) {
  const seconds = (instant - Date.now()) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) {
      return relativeFormat.format(Math.trunc(seconds / length), unit);
    }
  }
  return Math.abs(seconds) < 1 ? 'just now' : relativeFormat.format(Math.trunc(seconds), 'second');
}

/**
 * An instant of the API for people: the date and time in UTC, without the T and the Z.
 *
 * @param {string} iso
 * @param {boolean} fraction whether to show fractions of a second
 */
function utc(iso, fraction) {
  const text = fraction ? iso : iso.replace(/\.\d+/, '');
  return `${text.replace('T', ' ').replace(/Z$/, '')} UTC`;
}

/**
 * A `<time>` in UTC, and its distance from now, which `startRelativeTimes` keeps up to date.
 *
 * @param {string} iso
 * @param {{fraction?: boolean}} [how]
 * @returns {DocumentFragment}
 */
export function timeElement(iso, { fraction = true } = {}) {
  const made = document.createDocumentFragment();
  const time = document.createElement('time');
  time.dateTime = iso;
  time.textContent = utc(iso, fraction);
  made.append(time);
  const instant = Date.parse(iso);
  if (!Number.isNaN(instant)) {
    const distance = document.createElement('span');
    distance.className = 'distance';
    distance.dataset.instant = String(instant);
    distance.textContent = relative(instant);
    made.append(' ', distance);
  }
  return made;
}

/**
 * A `<time>` for a day, and its distance from now.
 *
 * @param {string} date `2026-12-06`
 * @returns {DocumentFragment}
 */
export function dateElement(date) {
  const made = timeElement(date, { fraction: false });
  const time = made.firstChild;
  if (time) {
    time.textContent = date;
  }
  return made;
}

/** Keeps all distances from now up to date while the page is visible. */
export function startRelativeTimes() {
  setInterval(() => {
    if (document.hidden) {
      return;
    }
    for (const distance of document.querySelectorAll('[data-instant]')) {
      const now = relative(Number(/** @type {HTMLElement} */ (distance).dataset.instant));
      if (distance.textContent !== now) {
        distance.textContent = now;
      }
    }
  }, 1000);
}
