/** States, pools and maps for the tests. They are frozen, so a function that is not pure fails. */
import {
  mapLoaded,
  initialState,
  poolsLoaded,
} from '../../../main/resources/static/pools/pool-state.js';

export function frozen(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

export function pool(name, settings = {}) {
  const counts = { capacity: 4, free: 4, held: 0, quarantined: 0, draining: 0 };
  return frozen({ name, ...counts, thresholds: [80, 95], ...settings });
}

/** A map of numbers from 1 on, a letter for the state of each. */
export function map(states, settings = {}) {
  const count = states.length;
  const block = { block: `1..${count}`, from: 0, count, first: '1', values: null };
  return frozen({ pool: 'a', from: 0, count, total: count, blocks: [block], states, ...settings });
}

export function claim(token, settings = {}) {
  return frozen({ pool: 'a', value: '2', client: 'vm-1', token, expires_at: null, ...settings });
}

/** The answer of the server: some pools, and the databases that do not answer. */
export function listed(names, unreachable = []) {
  return frozen({ pools: names.map((name) => pool(name)), unreachable });
}

/** The page of pool `a`, with its map loaded if `states` is given. */
export function stateOf(states) {
  const state = poolsLoaded(
    initialState({ pool: 'a', tab: 'map', value: '', range: null }),
    listed(['a', 'b']),
  );
  return frozen(states === undefined ? state : mapLoaded(state, map(states), '"1"', 0));
}

/** Applies functions one after the other; each is a function or `[function, ...arguments]`. */
export function after(state, ...changes) {
  return changes.reduce((before, change) => {
    const [reduce, ...args] = [change].flat();
    return frozen(reduce(before, ...args));
  }, state);
}
