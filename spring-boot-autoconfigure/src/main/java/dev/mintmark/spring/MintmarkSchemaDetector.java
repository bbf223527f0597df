package dev.mintmark.spring;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/** Has {@link MintmarkSchema} run before the other initializers of the database. */
final class MintmarkSchemaDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {
  MintmarkSchemaDetector() {}

  @Override
  protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
    return Set.of(MintmarkSchema.class);
  }

  /** Flyway has 1. */
  @Override
  public int getOrder() {
    return 0;
  }
}
