package dev.mintmark;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that the objects of a class, or of a property, are the identifiers of one collection of
 * the catalog. {@link Catalog#idType} returns the type of the class, and {@link Masks#find} its
 * mask.
 *
 * <pre>{@code
 * @InCollection("payments")
 * public record PaymentId(long value) {}
 * }</pre>
 *
 * <p>The class is a record with one component, as {@link IdType#wrapping} requires it.
 *
 * <p>A property is a pURI of the collection where data leaves and enters the program, and the first
 * one of a record says what the record is: {@code PuriModule} of the adapters for Jackson reads
 * mixed lists by it.
 *
 * <pre>{@code
 * public record Track(@InCollection("tracks") Puri uri, String title) implements Item {}
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({
  ElementType.TYPE,
  ElementType.RECORD_COMPONENT,
  ElementType.FIELD,
  ElementType.METHOD,
  ElementType.PARAMETER
})
public @interface InCollection {
  /**
   * The name, or an alias, of a collection of the catalog's own namespace. On a property it may
   * have another namespace before it: {@code soundcloud:tracks}.
   */
  String value();
}
