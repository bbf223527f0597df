package dev.mintmark.hibernate;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Leaves the id to the default of its column, and reads it back ({@code insert ... returning}).
 * <b>Each row costs one statement of its own: Hibernate cannot batch inserts whose ids it must read
 * back.</b> {@code @Minted(by = SERVER)} uses functions of the same pack and keeps batches.
 *
 * <p>For an {@code @Id} that the default of the column must decide. Pages by minted id lose no row.
 *
 * <p>The start fails if the table exists and its column has no default, of its own or of its
 * domain. If the table does not exist yet, or is a view, nothing is checked. If the database cannot
 * be read, a warning is logged. With the setting {@code
 * hibernate.boot.allow_jdbc_metadata_access=false} it is not read.
 */
@Documented
@Retention(RUNTIME)
@Target({FIELD, METHOD})
@IdGeneratorType(DatabaseGenerator.class)
public @interface MintedByDatabase {}
