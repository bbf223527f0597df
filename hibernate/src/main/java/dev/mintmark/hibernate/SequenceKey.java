package dev.mintmark.hibernate;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Numbers the id from a sequence of the database, with Hibernate's pooled optimizer: n entities
 * cost ceil(n / allocationSize) statements {@code nextval}, and inserts are batched. At most one
 * statement more is sent when a process starts.
 *
 * <p>For an {@code @Id} that is stored as {@code bigint}: {@code SequenceId} with {@link Prefixed},
 * or a class of your own. An id that is already set is kept. The increment of the sequence must
 * equal {@code allocationSize}; Hibernate's schema tools create it so.
 *
 * <p>Numbers of a sequence are not in the order of commits. To read such a table in pages without
 * gaps, use {@code PageOrder.byTransaction}.
 *
 * <pre>{@code
 * @Id @SequenceKey(sequence = "payment_seq") @Prefixed(value = "PM", width = 6) SequenceId id;
 * }</pre>
 */
@Documented
@Retention(RUNTIME)
@Target({FIELD, METHOD})
@IdGeneratorType(SequenceKeyGenerator.class)
public @interface SequenceKey {
  /** The name of the sequence, with its schema if it has another than the table. */
  String sequence();

  /** The increment of the sequence: how many numbers one statement reserves. At least 1. */
  int allocationSize() default 50;
}
