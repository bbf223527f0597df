package dev.mintmark.hibernate;

import java.lang.reflect.Member;
import java.util.EnumSet;
import org.hibernate.dialect.Dialect;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.generator.OnExecutionGenerator;
import org.jspecify.annotations.Nullable;

/** The generator of {@link MintedByDatabase}. Safe in any number of threads. */
public final class DatabaseGenerator
    implements OnExecutionGenerator, AnnotationBasedGenerator<MintedByDatabase> {
  private static final long serialVersionUID = 1;

  private Class<?> javaType = Object.class;

  /** For Hibernate, which creates it. */
  public DatabaseGenerator() {}

  /** What Hibernate 6.6 and 7.0 call. */
  @Override
  @SuppressWarnings("removal")
  public void initialize(MintedByDatabase minted, Member member, GeneratorCreationContext context) {
    configure(member, context);
  }

  /** What later versions call. */
  @Override
  public void initialize(MintedByDatabase minted, GeneratorCreationContext context) {
    configure(null, context);
  }

  private void configure(@Nullable Member member, GeneratorCreationContext context) {
    AttributeType attribute = AttributeType.of(context, member, "@MintedByDatabase");
    javaType = attribute.javaType();
    ColumnDefault.check(attribute, context);
  }

  @Override
  public EnumSet<EventType> getEventTypes() {
    return EventTypeSets.INSERT_ONLY;
  }

  @Override
  public boolean referenceColumnsInSql(Dialect dialect) {
    return false;
  }

  @Override
  public boolean writePropertyValue() {
    return false;
  }

  @Override
  @SuppressWarnings("NullAway") // Hibernate expects null: the column is not in the statement.
  public String[] getReferencedColumnValues(Dialect dialect) {
    return null;
  }

  /** What Hibernate 7.4 compares with the attribute; earlier versions do not ask. */
  @SuppressWarnings("MissingOverride")
  public Class<?> getGeneratedType() {
    return javaType;
  }
}
