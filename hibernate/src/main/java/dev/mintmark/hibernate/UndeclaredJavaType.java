package dev.mintmark.hibernate;

import org.hibernate.MappingException;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;

/**
 * Fails at start for a class whose value alone does not determine how it is stored. Without it,
 * Hibernate stores the serialized object as {@code bytea}.
 */
final class UndeclaredJavaType<T> extends AbstractClassJavaType<T> {
  private static final long serialVersionUID = 1;

  private final String remedy;

  UndeclaredJavaType(Class<T> javaType, String remedy) {
    super(javaType, ImmutableMutabilityPlan.instance());
    this.remedy = remedy;
  }

  @Override
  public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
    throw undeclared();
  }

  @Override
  public <X> @Nullable X unwrap(@Nullable T id, Class<X> target, WrapperOptions options) {
    throw undeclared();
  }

  @Override
  public <X> @Nullable T wrap(@Nullable X value, WrapperOptions options) {
    throw undeclared();
  }

  private MappingException undeclared() {
    return new MappingException(
        "an attribute of type %s: the prefix is not known: %s"
            .formatted(getJavaTypeClass().getSimpleName(), remedy));
  }
}
