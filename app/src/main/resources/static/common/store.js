/**
 * Holds the state of a page. The state is never modified: an update replaces it by what a pure
 * function makes of it, and then every subscriber is called.
 *
 * @template State
 */
export class Store {
  /** @type {(() => void)[]} */
  #subscribers = [];
  #state;

  /** @param {State} initial */
  constructor(initial) {
    this.#state = initial;
  }

  get state() {
    return this.#state;
  }

  /**
   * Replaces the state by `reduce(state, ...args)`. A function that returns the state it was given
   * changes nothing, and no subscriber is called.
   *
   * @template {unknown[]} Args
   * @param {(state: State, ...args: Args) => State} reduce
   * @param {Args} args
   */
  update(reduce, ...args) {
    const next = reduce(this.#state, ...args);
    if (next === this.#state) {
      return;
    }
    this.#state = next;
    for (const subscriber of this.#subscribers) {
      subscriber();
    }
  }

  /** @param {() => void} subscriber called after each change; it may update the store itself */
  subscribe(subscriber) {
    this.#subscribers.push(subscriber);
  }

  /**
   * Calls `show` now, and after each change of one of the parts that `select` takes from the state.
   * Parts are compared by identity.
   *
   * @template {unknown[]} Parts
   * @param {(state: State) => [...Parts]} select
   * @param {(...parts: NoInfer<Parts>) => void} show
   */
  watch(select, show) {
    let shown = select(this.#state);
    show(...shown);
    this.subscribe(() => {
      const parts = select(this.#state);
      if (parts.some((part, at) => !Object.is(part, shown[at]))) {
        shown = parts;
        show(...parts);
      }
    });
  }
}
