package dev.mintmark;

/**
 * Is called for each face that was read and is an old one: to count which clients still use it.
 * Called by the thread that reads, so it must return soon and be thread-safe. An exception of it
 * makes reading fail.
 *
 * @see FaceChange
 */
@FunctionalInterface
public interface OldFaceListener {
  /** Does nothing. */
  OldFaceListener NONE = (collection, accepted) -> {};

  /**
   * An old face was read.
   *
   * @param collection the present name of its collection
   * @param accepted false if the change has ended, and the face is rejected
   */
  void read(String collection, boolean accepted);
}
