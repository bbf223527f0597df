package dev.mintmark.hibernate;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Properties;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.ExportableProducer;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.Configurable;
import org.hibernate.id.PersistentIdentifierGenerator;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * The generator of {@link SequenceKey}: Hibernate's own of numbers, which it makes identifiers.
 * Hibernate creates it more than once for an attribute. Safe in any number of threads after {@link
 * #initialize(SqlStringGenerationContext)}.
 */
@SuppressWarnings("serial") // Hibernate does not serialize generators.
public final class SequenceKeyGenerator
    implements BeforeExecutionGenerator,
        AnnotationBasedGenerator<SequenceKey>,
        Configurable,
        ExportableProducer {
  private final SequenceStyleGenerator numbers = new SequenceStyleGenerator();
  private @Nullable AttributeType attribute;

  /** For Hibernate, which creates it. */
  public SequenceKeyGenerator() {}

  /** What Hibernate 6.6 and 7.0 call. */
  @Override
  @SuppressWarnings("removal")
  public void initialize(SequenceKey key, Member member, GeneratorCreationContext context) {
    configure(key, member, context);
  }

  /** What later versions call. */
  @Override
  public void initialize(SequenceKey key, GeneratorCreationContext context) {
    configure(key, null, context);
  }

  private void configure(
      SequenceKey key, @Nullable Member member, GeneratorCreationContext context) {
    AttributeType found = AttributeType.of(context, member, "@SequenceKey");
    if (found.type().storage() != Kind.Storage.BIGINT) {
      throw found.mistake(
          "@SequenceKey requires a type that is stored as bigint, found %s"
              .formatted(found.type()));
    }
    if (key.allocationSize() < 1) {
      throw found.mistake(
          "@SequenceKey: allocationSize = %s: expected 1 or more".formatted(key.allocationSize()));
    }
    attribute = found;
    NumberSequence.configure(numbers, context, properties(key, context));
  }

  private static Properties properties(SequenceKey key, GeneratorCreationContext context) {
    Properties properties = new Properties();
    properties.setProperty(SequenceStyleGenerator.SEQUENCE_PARAM, key.sequence());
    properties.setProperty(
        SequenceStyleGenerator.INCREMENT_PARAM, Integer.toString(key.allocationSize()));
    Table table = table(context);
    putIfKnown(
        properties,
        PersistentIdentifierGenerator.CATALOG,
        table.getCatalog() == null ? context.getDefaultCatalog() : table.getQuotedCatalog());
    putIfKnown(
        properties,
        PersistentIdentifierGenerator.SCHEMA,
        table.getSchema() == null ? context.getDefaultSchema() : table.getQuotedSchema());
    return properties;
  }

  private static Table table(GeneratorCreationContext context) {
    PersistentClass entity = context.getPersistentClass();
    // Hibernate 7 knows no entity of an attribute of a composite id, and 6.6 no property.
    return entity == null ? context.getProperty().getValue().getTable() : entity.getTable();
  }

  private static void putIfKnown(Properties properties, String key, @Nullable String value) {
    if (value != null) {
      properties.setProperty(key, value);
    }
  }

  /** Hibernate 6.6 calls it with parameters that this generator does not have. */
  @Override
  @SuppressWarnings("removal")
  public void configure(Type type, Properties parameters, ServiceRegistry registry) {}

  @Override
  public void registerExportables(Database database) {
    numbers.registerExportables(database);
  }

  @Override
  public void initialize(SqlStringGenerationContext context) {
    numbers.initialize(context);
  }

  @Override
  public Object generate(
      SharedSessionContractImplementor session,
      Object owner,
      @Nullable Object current,
      EventType event) {
    return current == null ? id((Number) numbers.generate(session, owner)) : current;
  }

  private Object id(Number number) {
    return type().fromStored(new ColumnValue.Bigint(number.longValue()));
  }

  private IdType<?> type() {
    if (attribute == null) {
      throw new IllegalStateException("@SequenceKey: the generator was not initialized");
    }
    return attribute.type();
  }

  @Override
  public EnumSet<EventType> getEventTypes() {
    return EventTypeSets.INSERT_ONLY;
  }

  @Override
  public boolean allowAssignedIdentifiers() {
    return true;
  }

  /** What Hibernate 7.4 compares with the attribute; earlier versions do not ask. */
  @SuppressWarnings("MissingOverride")
  public Class<?> getGeneratedType() {
    return attribute == null ? Object.class : attribute.javaType();
  }
}
