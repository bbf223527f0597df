package dev.mintmark.spring;

import dev.mintmark.MalformedIdException;
import dev.mintmark.RetiredFaceException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpStatus;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;

/**
 * What is wrong with an identifier of a request, and where it is, as a problem document (RFC 9457).
 *
 * @param kind what it is
 * @param member what the document calls the place: {@code parameter} or {@code pointer}
 * @param place the place, if it is known
 * @param reason the message of the exception of Mintmark
 */
record IdProblem(Kind kind, String member, Optional<String> place, String reason) {
  /** The kinds of problems, each with its status. */
  enum Kind {
    /** The text is not an identifier. */
    MALFORMED(HttpStatus.BAD_REQUEST, "Malformed identifier", "malformed-identifier"),

    /** It is one, and its time has ended. */
    RETIRED(HttpStatus.GONE, "Retired identifier", "identifier-retired");

    private final HttpStatus status;
    private final String title;
    private final String code;

    Kind(HttpStatus status, String title, String code) {
      this.status = status;
      this.title = title;
      this.code = code;
    }

    static Optional<Kind> of(Throwable cause) {
      if (cause instanceof MalformedIdException) {
        return Optional.of(MALFORMED);
      }
      return cause instanceof RetiredFaceException ? Optional.of(RETIRED) : Optional.empty();
    }
  }

  /** Returns the problem of a path variable or a parameter, if it is an identifier. */
  static Optional<IdProblem> ofParameter(String name, Throwable failure) {
    return causes(failure)
        .flatMap(cause -> of("parameter", Optional.of(name), cause).stream())
        .findFirst();
  }

  /** Returns the problem of the first identifier that a form could not be given. */
  static Optional<IdProblem> ofForm(BindingResult form) {
    return form.getFieldErrors().stream().flatMap(IdProblem::ofField).findFirst();
  }

  /** Returns the problem of an identifier in a body. */
  static Optional<IdProblem> ofBody(Throwable failure, List<BodyPointer> pointers) {
    Optional<String> pointer =
        causes(failure)
            .flatMap(cause -> pointers.stream().flatMap(known -> known.find(cause).stream()))
            .findFirst();
    return causes(failure).flatMap(cause -> of("pointer", pointer, cause).stream()).findFirst();
  }

  private static Stream<IdProblem> ofField(FieldError error) {
    return error.contains(TypeMismatchException.class)
        ? ofParameter(error.getField(), error.unwrap(TypeMismatchException.class)).stream()
        : Stream.empty();
  }

  private static Optional<IdProblem> of(String member, Optional<String> place, Throwable cause) {
    return Kind.of(cause)
        .map(kind -> new IdProblem(kind, member, place, String.valueOf(cause.getMessage())));
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
  }

  ProblemDocument document() {
    return new ProblemDocument(
        kind.status,
        kind.title,
        kind.code,
        reason,
        place.map(found -> Map.of(member, found)).orElse(Map.of()));
  }
}
