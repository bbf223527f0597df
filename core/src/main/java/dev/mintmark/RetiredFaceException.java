package dev.mintmark;

import java.time.Instant;

/**
 * A face is well formed, and is no longer accepted: the {@link FaceChange} of its collection has
 * ended. The message quotes it, and names the new face. Over HTTP this is a 410.
 */
public final class RetiredFaceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  RetiredFaceException(String face, Instant until, String newFace) {
    super(
        "retired identifier %s: it was accepted until %s: use the one that %s"
            .formatted(Quoted.of(face), until, newFace));
  }
}
