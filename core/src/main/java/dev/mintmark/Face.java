package dev.mintmark;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that clients see a property, or a parameter, as a face of a collection: {@code
 * pay_a3wdgw0zrbmsq56da6a6w62jdy2} in place of 123. Adapters apply it where data leaves and enters
 * the program, and nowhere else. The property has one of the classes that {@link Masks#of(Class,
 * String)} accepts: {@code long}, {@link Long}, {@link java.util.UUID}, a value of Mintmark, or a
 * class of your own.
 *
 * <pre>{@code
 * public record PaymentView(@Face("payments") long id, @Face("orders") UUID order) {}
 * }</pre>
 *
 * <p>A property whose class is annotated with {@link InCollection} does not need it. What a face
 * consists of is declared in {@link CollectionSpec.Face}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({
  ElementType.RECORD_COMPONENT,
  ElementType.FIELD,
  ElementType.METHOD,
  ElementType.PARAMETER
})
public @interface Face {
  /** The name, or an alias, of a collection of the catalog's own namespace. */
  String value();
}
