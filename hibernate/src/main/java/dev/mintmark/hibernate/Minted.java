package dev.mintmark.hibernate;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Mints the attribute when the entity is persisted. <b>If the table is read in pages by minted id
 * ({@code PageOrder.byMintedId}), use {@code by = SERVER}.</b> An id that Java mints is older than
 * the first statement of its transaction, so a page can pass it before the row is committed: its
 * readers lose the row, silently.
 *
 * <pre>
 *   by      made by                             statements for n entities      for attributes of type
 *   JAVA    this process, at persist            none                           ULID, UUID (v7), TypeID, NanoID, yours
 *   SERVER  functions of the SQL pack, at       ceil(n / block) for each       ULID, UUID (v7), TypeID, yours
 *           persist, in the transaction         transaction
 * </pre>
 *
 * <p>Inserts are batched with both. With {@code SERVER}, a single insert costs one statement more;
 * ids that are left over at the end of the transaction are dropped; and {@code persist} outside a
 * transaction fails, because the id would be older than the transaction that inserts it. The
 * default of the column must remain, because pages check it.
 *
 * <p>For {@code @Id} and for other attributes. The type of the attribute says which kind is minted.
 * A value that is already set is kept. Ids that Java mints are ascending for each attribute of a
 * factory of sessions, unless the collection of the type declares {@code order: random}: the ids of
 * two entities that are minted in one millisecond may be in any order. If the collection declares
 * {@code mint: server}, {@code by = JAVA} fails when the factory of sessions is built. {@code
 * Snowflake} requires the number of the process, so it is not minted here.
 *
 * <pre>{@code
 * @Entity
 * class Track {
 *   @Id @Minted(by = MintedBy.SERVER) Ulid id;
 *   @Minted Ulid token;
 * }
 * }</pre>
 */
@Documented
@Retention(RUNTIME)
@Target({FIELD, METHOD})
@IdGeneratorType(MintedGenerator.class)
@ValueGenerationType(generatedBy = MintedGenerator.class)
public @interface Minted {
  /** Where the ids are made. */
  MintedBy by() default MintedBy.JAVA;

  /** Ids in one statement with {@link MintedBy#SERVER}, 1 to 10,000. */
  int block() default 50;

  /**
   * The schema of the SQL pack with {@link MintedBy#SERVER}. Without it, that of the setting {@code
   * mintmark.pack.schema} of Hibernate, and else {@code mintmark}.
   */
  String schema() default "";
}
