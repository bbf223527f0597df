package dev.mintmark.jackson2;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mintmark.InCollection;
import dev.mintmark.Puri;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A sealed interface of records that are told apart by the types of their pURIs.
 *
 * @param type the interface
 * @param property the property of the pURI, in the JSON of all records
 * @param records by namespace and collection, in lower case, with a colon between them
 */
record MixedInterface(
    Class<?> type, String property, Map<String, Class<?>> records, UnknownRecord unknown) {
  /**
   * @throws IllegalArgumentException if it is not a sealed interface of records, if two records
   *     have one collection, if the catalog does not have a collection, if the properties of the
   *     pURIs have several names, or if there is not one record for unknown types
   */
  static MixedInterface of(Class<?> type, PuriTexts texts) {
    if (!type.isInterface() || !type.isSealed()) {
      throw unfit(type, "expected a sealed interface");
    }
    Map<String, Class<?>> records = new LinkedHashMap<>();
    Map<String, Class<?>> properties = new LinkedHashMap<>();
    List<UnknownRecord> unknown = new ArrayList<>();
    for (Class<?> each : leaves(type).distinct().toList()) {
      if (!each.isRecord()) {
        throw unfit(type, each.getName() + " is not a record");
      }
      Optional<RecordComponent> puri = puri(each);
      if (puri.isEmpty()) {
        unknown.add(UnknownRecord.of(each));
        continue;
      }
      InCollection annotation = puri.get().getAnnotation(InCollection.class);
      texts.of(puri.get().getType(), annotation); // Fails if it cannot hold these identifiers.
      properties.putIfAbsent(name(puri.get()), each);
      String names = lower(texts.collection(annotation).toString());
      Class<?> other = records.put(names, each);
      if (other != null) {
        throw unfit(
            type,
            "%s and %s have the collection \"%s\": expected one record for each collection"
                .formatted(other.getName(), each.getName(), names));
      }
    }
    if (properties.size() != 1) {
      throw unfit(type, "its pURIs are the properties %s: expected one name".formatted(properties));
    }
    if (unknown.size() != 1) {
      throw unfit(
          type,
          "it has %s records without @InCollection: expected one, with a Puri and a String, which keeps objects of unknown types"
              .formatted(unknown.size()));
    }
    return new MixedInterface(
        type, properties.keySet().iterator().next(), Map.copyOf(records), unknown.get(0));
  }

  /** The same interface, of which every type is unknown. */
  MixedInterface withoutRecords() {
    return new MixedInterface(type, property, Map.of(), unknown);
  }

  /** The record for a pURI that is resolved. */
  Optional<Class<?>> find(Puri puri) {
    Puri canonical = puri.canonical();
    return Optional.ofNullable(records.get(canonical.namespace() + ":" + canonical.collection()));
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(MixedInterface::leaves)
        : Stream.of(type);
  }

  /** The first component that is annotated: further ones refer to other objects. */
  private static Optional<RecordComponent> puri(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .filter(component -> component.isAnnotationPresent(InCollection.class))
        .findFirst();
  }

  private static String name(RecordComponent component) {
    JsonProperty annotation = component.getAccessor().getAnnotation(JsonProperty.class);
    return annotation == null || annotation.value().isEmpty()
        ? component.getName()
        : annotation.value();
  }

  private static String lower(String names) {
    return names.toLowerCase(Locale.ROOT); // Declared names are ASCII.
  }

  private static IllegalArgumentException unfit(Class<?> type, String why) {
    return new IllegalArgumentException(
        "%s cannot be told apart by pURIs: %s".formatted(type.getName(), why));
  }
}
