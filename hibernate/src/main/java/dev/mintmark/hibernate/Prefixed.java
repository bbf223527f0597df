package dev.mintmark.hibernate;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;

/**
 * Declares the prefix of an attribute of type {@code SequenceId} or {@code TypeId}. The column
 * holds the number ({@code bigint}) or the UUID ({@code uuid}) without the prefix. An identifier
 * with another prefix is refused, also as a parameter of a query.
 *
 * <p>For ids and other attributes. For elements of collections, declare a class of your own with
 * {@code IdTypes}, which needs no annotation.
 *
 * <pre>{@code
 * @Prefixed(value = "PM", width = 6) SequenceId number;   // PM000123 is 123
 * @Prefixed("user") TypeId user;                          // user_01h455vb4pex5vsknk084sn02q
 * }</pre>
 */
@Documented
@Retention(RUNTIME)
@Target({FIELD, METHOD})
@AttributeBinderType(binder = PrefixedBinder.class)
public @interface Prefixed {
  /** The prefix. */
  String value();

  /** The minimum number of digits of a {@code SequenceId}; a {@code TypeId} has none. */
  int width() default 0;
}
