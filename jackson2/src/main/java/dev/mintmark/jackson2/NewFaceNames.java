package dev.mintmark.jackson2;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import dev.mintmark.Face;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the property of the new face as a second name of the property: {@code id_str} is {@code
 * id}. The names are noted when Jackson has applied its naming strategy, and before it asks for
 * them. Thread-safe.
 */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class NewFaceNames extends BeanDeserializerModifier {
  private final Faces faces;
  private final Map<Annotated, Set<String>> names = new ConcurrentHashMap<>();

  NewFaceNames(Faces faces) {
    this.faces = faces;
  }

  @Override
  public List<BeanPropertyDefinition> updateProperties(
      DeserializationConfig config,
      BeanDescription description,
      List<BeanPropertyDefinition> properties) {
    for (BeanPropertyDefinition property : properties) {
      AnnotatedMember member = property.getPrimaryMember();
      if (member != null) {
        suffix(property, member).ifPresent(suffix -> note(property, suffix));
      }
    }
    return properties;
  }

  private void note(BeanPropertyDefinition property, String suffix) {
    Stream.of(
            Optional.ofNullable(property.getConstructorParameter()),
            Optional.ofNullable(property.getSetter()),
            Optional.ofNullable(property.getField()),
            Optional.ofNullable(property.getGetter()))
        .flatMap(Optional::stream)
        .forEach(
            member ->
                names
                    .computeIfAbsent(member, each -> ConcurrentHashMap.newKeySet())
                    .add(property.getName() + suffix));
  }

  private Optional<String> suffix(BeanPropertyDefinition property, AnnotatedMember member) {
    Face face = member.getAnnotation(Face.class);
    return face == null
        ? faces.suffix(property.getPrimaryType())
        : faces.suffix(property.getPrimaryType(), face);
  }

  /** Returns the other names of a property, with those that it declares; null if it has none. */
  @Nullable List<PropertyName> find(Annotated property) {
    Set<String> noted = names.get(property);
    if (noted == null) {
      return null;
    }
    Set<String> all = new LinkedHashSet<>(noted);
    JsonAlias declared = property.getAnnotation(JsonAlias.class);
    if (declared != null) {
      all.addAll(List.of(declared.value()));
    }
    return all.stream().map(PropertyName::construct).toList();
  }
}
