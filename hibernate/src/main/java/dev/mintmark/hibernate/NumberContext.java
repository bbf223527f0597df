package dev.mintmark.hibernate;

import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;

/** The context of an attribute, for a generator of the numbers of its identifiers. */
record NumberContext(GeneratorCreationContext attribute, Type number)
    implements GeneratorCreationContext {
  @Override
  public Type getType() {
    return number;
  }

  @Override
  public Database getDatabase() {
    return attribute.getDatabase();
  }

  @Override
  public ServiceRegistry getServiceRegistry() {
    return attribute.getServiceRegistry();
  }

  @Override
  public String getDefaultCatalog() {
    return attribute.getDefaultCatalog();
  }

  @Override
  public String getDefaultSchema() {
    return attribute.getDefaultSchema();
  }

  @Override
  public PersistentClass getPersistentClass() {
    return attribute.getPersistentClass();
  }

  @Override
  public RootClass getRootClass() {
    return attribute.getRootClass();
  }

  @Override
  public Property getProperty() {
    return attribute.getProperty();
  }

  @Override
  public Value getValue() {
    return attribute.getValue();
  }

  @Override
  public SqlStringGenerationContext getSqlStringGenerationContext() {
    return attribute.getSqlStringGenerationContext();
  }
}
