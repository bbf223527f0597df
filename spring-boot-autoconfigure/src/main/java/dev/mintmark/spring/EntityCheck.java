package dev.mintmark.spring;

import dev.mintmark.IdType;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.ManagedType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails the start of an application whose entities have identifiers of Mintmark, and which does not
 * have Mintmark's types for Hibernate: Hibernate would serialize the objects into {@code bytea}.
 */
final class EntityCheck implements SmartInitializingSingleton {
  private final ObjectProvider<EntityManagerFactory> factories;
  private final DeclaredIdTypes types;

  EntityCheck(ObjectProvider<EntityManagerFactory> factories, DeclaredIdTypes types) {
    this.factories = factories;
    this.types = types;
  }

  @Override
  public void afterSingletonsInstantiated() {
    factories.forEach(
        factory ->
            factory.getMetamodel().getManagedTypes().stream()
                .flatMap(type -> type.getAttributes().stream())
                .forEach(this::check));
  }

  private void check(Attribute<?, ?> attribute) {
    Class<?> javaType = attribute.getJavaType();
    boolean isOurs = IdType.class.getPackage().equals(javaType.getPackage());
    if (isOurs || types.find(javaType).isPresent()) {
      ManagedType<?> owner = attribute.getDeclaringType();
      throw new StartFailure(
          "The attribute %s of %s is %s, which Hibernate would store as serialized bytes."
              .formatted(attribute.getName(), owner.getJavaType().getName(), javaType.getName()),
          "Add the dependency dev.mintmark:mintmark-hibernate, which has the types. If"
              + " spring.jpa.hibernate.ddl-auto has already created the column as bytea, drop it.");
    }
  }
}
