package dev.mintmark.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.metamodel.mapping.BasicValuedModelPart;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * A column of a table, as an entity maps it.
 *
 * @param attribute the name of the entity, a dot and the name of the attribute
 */
record EntityColumn(String attribute, Origin origin) {
  private static final boolean HAS_MINTED =
      ClassUtils.isPresent(
          "dev.mintmark.hibernate.MintedGenerator", EntityColumn.class.getClassLoader());

  /** Where the values of new rows come from. */
  enum Origin {
    /** From the server, in the transaction that inserts the row. */
    SERVER,
    /** From this process. */
    JAVA,
    /** From the application, which assigns them. */
    UNKNOWN
  }

  /**
   * Returns each attribute that writes the column, of every entity of the table.
   *
   * @param table its name, alone or after its schema and a dot
   */
  static List<EntityColumn> of(SessionFactoryImplementor factory, String table, String column) {
    TableName name = TableName.of(table);
    List<EntityColumn> found = new ArrayList<>();
    factory
        .getMappingMetamodel()
        .forEachEntityDescriptor(
            entity -> {
              if (Arrays.stream(entity.getTableNames())
                  .map(TableName::ofSql)
                  .anyMatch(name::matches)) {
                found.addAll(of(entity, name, column));
              }
            });
    return found;
  }

  private static List<EntityColumn> of(EntityPersister entity, TableName table, String column) {
    List<EntityColumn> found = new ArrayList<>();
    EntityIdentifierMapping id = entity.getIdentifierMapping();
    id.forEachSelectable(
        (index, selectable) -> {
          // Of joined tables too, whose keys have this value.
          if (folded(selectable.getSelectionExpression()).equals(column)) {
            Origin origin =
                id.asBasicValuedModelPart() == null
                    ? Origin.UNKNOWN // A part of a composite id, each with a generator of its own.
                    : origin(entity.getGenerator(), entity, entity::getIdentifier);
            found.add(
                new EntityColumn(entity.getEntityName() + "." + id.getAttributeName(), origin));
          }
        });
    entity.forEachAttributeMapping(
        attribute -> {
          BasicValuedModelPart basic = attribute.asBasicValuedModelPart();
          if (basic != null
              && basic.isInsertable()
              && folded(basic.getSelectionExpression()).equals(column)
              && table.matches(TableName.ofSql(basic.getContainingTableExpression()))) {
            found.add(
                new EntityColumn(
                    entity.getEntityName() + "." + attribute.getAttributeName(),
                    origin(attribute.getGenerator(), entity, attribute::getValue)));
          }
        });
    return found;
  }

  private static Origin origin(
      @Nullable Generator generator,
      EntityPersister entity,
      Function<Object, @Nullable Object> value) {
    if (generator == null || !generator.generatesOnInsert()) {
      return isSetInNewObject(entity, value) ? Origin.JAVA : Origin.UNKNOWN;
    }
    boolean isOfServer =
        generator.generatedOnExecution() || (HAS_MINTED && ServerMinted.is(generator));
    return isOfServer ? Origin.SERVER : Origin.JAVA;
  }

  /** Whether the constructor or an initializer of the entity has a value: a mint in Java. */
  private static boolean isSetInNewObject(
      EntityPersister entity, Function<Object, @Nullable Object> value) {
    try {
      return value.apply(entity.getRepresentationStrategy().getInstantiator().instantiate())
          != null;
    } catch (RuntimeException e) {
      return false; // Abstract, or a constructor that fails without its parameters.
    }
  }

  /** A name as PostgreSQL stores it: in lower case unless it is quoted. */
  private static String folded(String sql) {
    return sql.startsWith("\"")
        ? sql.substring(1, sql.length() - 1).replace("\"\"", "\"")
        : sql.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return attribute;
  }

  /**
   * The name of a table. It matches another one if one of them has no schema.
   *
   * @param schema or an empty text
   */
  private record TableName(String schema, String name) {
    /** A name with the schema before its first dot, in the case in which PostgreSQL stores it. */
    static TableName of(String table) {
      int dot = table.indexOf('.');
      return new TableName(table.substring(0, Math.max(dot, 0)), table.substring(dot + 1));
    }

    /** The name in a statement of Hibernate, of which the last two parts count. */
    static TableName ofSql(String table) {
      String[] parts = table.split("\\.(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
      return new TableName(
          parts.length > 1 ? folded(parts[parts.length - 2]) : "", folded(parts[parts.length - 1]));
    }

    boolean matches(TableName other) {
      return name.equals(other.name)
          && (schema.isEmpty() || other.schema.isEmpty() || schema.equals(other.schema));
    }
  }
}
