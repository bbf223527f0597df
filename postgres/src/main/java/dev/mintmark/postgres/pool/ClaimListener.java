package dev.mintmark.postgres.pool;

/**
 * Is called for each claim of {@link Pools}, to measure it: how long it took, and its result. It
 * must be fast, must not throw, and must be safe in any number of threads.
 */
public interface ClaimListener {
  /**
   * A claim begins, in the thread that claims.
   *
   * @param pool the name of the pool
   * @return what is called when the claim has ended
   */
  Begun began(String pool);

  /** A claim that has begun. One of its methods is called, once, in any thread. */
  interface Begun {
    /** The claim has a result. */
    void ended(ClaimResult result);

    /** The claim failed, as {@link Pool#claim} throws. */
    void failed(Throwable failure);
  }
}
