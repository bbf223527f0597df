package dev.mintmark.spring;

import dev.mintmark.IdType;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.MapAttribute;
import jakarta.persistence.metamodel.PluralAttribute;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Fails the start of an application whose entities have identifiers of Mintmark, and which does not
 * have Mintmark's types for Hibernate: Hibernate would serialize the objects into {@code bytea}.
 */
final class EntityCheck implements SmartInitializingSingleton {
  /** Annotations by their names, because some are those of Hibernate alone. */
  private static final List<String> MAPPED_OTHERWISE =
      List.of(
          "jakarta.persistence.Convert",
          "org.hibernate.annotations.JdbcTypeCode",
          "org.hibernate.annotations.Type");

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
    if (isMappedOtherwise(attribute)) {
      return;
    }
    stored(attribute)
        .filter(this::isIdentifier)
        .findFirst()
        .ifPresent(
            found -> {
              Class<?> owner = attribute.getDeclaringType().getJavaType();
              throw new StartFailure(
                  "The attribute %s of %s has values of %s, which Hibernate would store as serialized bytes."
                      .formatted(attribute.getName(), owner.getName(), found.getName()),
                  "Add the dependency dev.mintmark:mintmark-hibernate, which has the types. If"
                      + " spring.jpa.hibernate.ddl-auto has already created the column as bytea,"
                      + " drop it.");
            });
  }

  private boolean isIdentifier(Class<?> javaType) {
    return IdType.class.getPackage().equals(javaType.getPackage())
        || types.find(javaType).isPresent();
  }

  /** Whether the application says how it is stored: by a converter, or as JSON. */
  private static boolean isMappedOtherwise(Attribute<?, ?> attribute) {
    return attribute.getJavaMember() instanceof AnnotatedElement member
        && MAPPED_OTHERWISE.stream().anyMatch(MergedAnnotations.from(member)::isPresent);
  }

  /** The classes of what is stored: of collections and arrays, also those of the elements. */
  private static Stream<Class<?>> stored(Attribute<?, ?> attribute) {
    if (attribute instanceof MapAttribute<?, ?, ?> map) {
      return Stream.of(map.getKeyJavaType(), map.getElementType().getJavaType());
    }
    if (attribute instanceof PluralAttribute<?, ?, ?> plural) {
      return Stream.of(plural.getElementType().getJavaType());
    }
    Stream<Class<?>> elements =
        Arrays.stream(type(attribute.getJavaMember()).asCollection().getGenerics())
            .map(element -> element.resolve(Object.class));
    return Stream.concat(Stream.of(attribute.getJavaType()), elements)
        .map(type -> type.isArray() ? type.getComponentType() : type);
  }

  private static ResolvableType type(Member member) {
    if (member instanceof Method method) {
      return ResolvableType.forMethodReturnType(method);
    }
    return member instanceof Field field ? ResolvableType.forField(field) : ResolvableType.NONE;
  }
}
