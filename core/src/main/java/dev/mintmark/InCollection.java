package dev.mintmark;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that the objects of a class are the identifiers of one collection of the catalog. {@link
 * Catalog#idType} returns the type of the class, and {@link Masks#find} its mask.
 *
 * <pre>{@code
 * @InCollection("payments")
 * public record PaymentId(long value) {}
 * }</pre>
 *
 * <p>The class is a record with one component, as {@link IdType#wrapping} requires it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InCollection {
  /** The name, or an alias, of a collection of the catalog's own namespace. */
  String value();
}
