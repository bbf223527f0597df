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
 * @returns {{
 *   now: () => void,
 *   soon: () => void,
 *   pace: (everyMillis: number) => void,
 *   pause: () => void,
 *   resume: () => void,
 * }} `now` aborts the present run and starts the next at once; `soon` starts it at once or after the
 *     present run; `pace` changes the time between the runs after this one; `pause` aborts the run,
 *     and none starts until `resume`
 */
export function poll(task, { everyMillis, onError, onAnswer }) {
  let timer = 0;
  let failures = 0;
  let isPaused = false;
  let isWanted = false;
  /** @type {AbortController | null} */
  let running = null;

  async function run() {
    clearTimeout(timer);
    isWanted = false;
    running?.abort();
    if (document.hidden || isPaused) {
      running = null;
      return;
    }
    const mine = new AbortController();
    running = mine;
    const start = performance.now();
    let wait = 0;
    try {
      await task(mine.signal);
      if (running === mine) {
        failures = 0;
        wait = everyMillis;
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
      const pause = isWanted ? 0 : wait - spent;
      timer = setTimeout(run, failures ? wait : Math.max(PAUSE_MILLIS_MIN, pause));
    }
  }

  document.addEventListener('visibilitychange', run);
  addEventListener('online', run);
  run();
  return {
    now: run,
    soon() {
      if (running) {
        isWanted = true;
      } else {
        run();
      }
    },
    pace(millis) {
      everyMillis = millis;
    },
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
