package dev.mintmark.jdbi;

import dev.mintmark.IdType;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.spi.JdbiPlugin;

/**
 * Binds and reads identifiers with Jdbi: as arguments, columns, arrays and lists, alone and in
 * beans and records, null included.
 *
 * <pre>{@code
 * jdbi.installPlugins();
 * Optional<Ulid> id =
 *     handle
 *         .createQuery("select track_id from tracks where track_id = any(:ids)")
 *         .bindArray("ids", Ulid.class, ids)
 *         .mapTo(Ulid.class)
 *         .findFirst();
 * }</pre>
 *
 * <p>Which classes, and how their identifiers are stored:
 *
 * <ul>
 *   <li>{@code Ulid} in {@code uuid}, {@code Snowflake} and {@code Tsid} in {@code bigint}, {@code
 *       Ksuid}, {@code ObjectId}, {@code Xid}, {@code NanoId} of the default format and whole
 *       {@code Puri}s in {@code text};
 *   <li>the classes that {@link dev.mintmark.IdTypes} declares, looked for with the class loader of
 *       the class when it is first used;
 *   <li>the classes of the types given to the constructor, before the others: for {@code TypeId}
 *       and {@code SequenceId}, which cannot be read without their prefix, or for ULIDs in a column
 *       of text.
 * </ul>
 *
 * <p>Classes of the JDK are left as they are. A value that is no identifier of its type fails with
 * an {@link java.sql.SQLException} that names the column, as {@link
 * dev.mintmark.postgres.jdbc.IdColumn} does.
 *
 * <p>{@link Jdbi#installPlugins} finds the plugin without types. If one with types is installed
 * before or after, its types are used. Immutable and thread-safe.
 */
public final class MintmarkPlugin implements JdbiPlugin {
  private final IdColumns columns;

  /** The classes that are known without configuration. */
  public MintmarkPlugin() {
    this(List.of());
  }

  /**
   * The classes that are known without configuration, and more.
   *
   * @param types each of a class of its own
   * @throws IllegalArgumentException if two types have one class, or if one has a class of the JDK;
   *     the message names it
   */
  public MintmarkPlugin(Collection<? extends IdType<?>> types) {
    columns = new IdColumns(types);
  }

  /** Registers arguments, column mappers and array types. Jdbi calls it. */
  @Override
  public void customizeJdbi(Jdbi jdbi) {
    // What is registered last is asked first, and must not hide the types of the other plugin.
    if (columns.hasNoTypes() && IdArrayTypeFactory.isRegistered(jdbi.getConfig())) {
      return;
    }
    jdbi.registerArgument(new IdArgumentFactory(columns));
    jdbi.registerColumnMapper(new IdColumnMapperFactory(columns));
    jdbi.registerArrayType(new IdArrayTypeFactory(columns));
  }
}
