import { isOutage } from './http.js';

const BACKOFF_MILLIS = [1_000, 2_000, 5_000];
const PAUSE_MILLIS_MIN = 50;

/**
 * Runs a task again and again while the page is visible, one run at a time. After an error the next
 * run waits longer, up to 5 s; the first success returns to the usual pace.
 *
 * @param {(signal: AbortSignal) => Promise<void>} task gives up when the signal is aborted
 * @param {object} options
 * @param {number} options.everyMillis from one start to the next
 * @param {(error: Error, waitMillis: number) => void} options.onError
 * @param {() => void} options.onAnswer
 * @returns {{now: () => void, pause: () => void, resume: () => void}} `now` aborts the present run
 *     and starts the next at once; `pause` aborts it, and none starts until `resume`
 */
export function poll(task, { everyMillis, onError, onAnswer }) {
  let timer = 0;
  let failures = 0;
  let isPaused = false;
  /** @type {AbortController | null} */
  let running = null;

  async function run() {
    clearTimeout(timer);
    running?.abort();
    if (document.hidden || isPaused) {
      running = null;
      return;
    }
    const mine = new AbortController();
    running = mine;
    const start = performance.now();
    let wait = everyMillis;
    try {
      await task(mine.signal);
      if (running === mine) {
        failures = 0;
        onAnswer();
      }
    } catch (error) {
      if (running === mine) {
        wait = BACKOFF_MILLIS[Math.min(failures++, BACKOFF_MILLIS.length - 1)];
        onError(/** @type {Error} */ (error), wait);
        if (!isOutage(error)) {
          console.error(error);
        }
      }
    }
    if (running === mine) {
      running = null;
      const spent = performance.now() - start;
      timer = setTimeout(run, failures ? wait : Math.max(PAUSE_MILLIS_MIN, wait - spent));
    }
  }

  document.addEventListener('visibilitychange', run);
  addEventListener('online', run);
  run();
  return {
    now: run,
    pause() {
      isPaused = true;
      run();
    },
    resume() {
      if (isPaused) {
        isPaused = false;
        run();
      }
    },
  };
}
