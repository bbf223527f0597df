import { Problem } from '../common/http.js';
import { counted } from '../common/numbers.js';
import { readPool } from './api.js';
import { deletePool } from './changes-api.js';

/** @import {Pool} from './api.js' */

/** Whether to delete a pool. The answer is about the held values that the question names. */
export class DeleteQuestion {
  #pool;
  #held;

  /** @param {Pick<Pool, 'name' | 'held'>} pool */
  constructor({ name, held }) {
    this.#pool = name;
    this.#held = held;
  }

  get text() {
    const lost =
      this.#held === 0
        ? 'Its history is deleted with it.'
        : `${counted(this.#held)} of its values are held: their claims are deleted, too, and their clients are not told.`;
    return `${lost} Type ${this.#pool} to delete it.`;
  }

  /**
   * Deletes the pool, after the user agreed.
   *
   * @returns {Promise<DeleteQuestion | null>} the next question, if values are held and this one did
   *     not say so; null if the pool is deleted
   */
  async agree() {
    try {
      await deletePool(this.#pool, this.#held > 0);
      return null;
    } catch (error) {
      if (error instanceof Problem && error.code === 'pool-in-use') {
        return new DeleteQuestion(await readPool(this.#pool));
      }
      throw error;
    }
  }
}
