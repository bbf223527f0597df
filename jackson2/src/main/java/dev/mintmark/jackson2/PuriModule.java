package dev.mintmark.jackson2;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import dev.mintmark.Catalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * pURIs as the types of objects in JSON: a list may have tracks, users and objects of a type that
 * the program has never seen.
 *
 * <pre>{@code
 * sealed interface Item permits Track, User, Unknown {}
 * record Track(@InCollection("tracks") Puri uri, String title) implements Item {}
 * record User(@InCollection("users") UserId uri, String name) implements Item {}
 * record Unknown(Puri uri, String json) implements Item {}
 *
 * JsonMapper mapper = JsonMapper.builder().addModule(PuriModule.of(catalog, Item.class)).build();
 * mapper.readValue("{\"uri\":\"shop:tracks:123\",\"title\":\"Big B\"}", Item.class);   // a Track
 * }</pre>
 *
 * <p><b>Which record.</b> The first component with {@link dev.mintmark.InCollection} is the pURI of
 * the object; its property has one name in all records. It may be at any place in the JSON object.
 * Aliases of a collection and compact pURIs are read. A naming strategy must not change the name.
 *
 * <p><b>Unknown types.</b> The one record without that annotation has a {@code String}, and a
 * {@code Puri} or nothing else. It keeps the objects of collections that the catalog or the
 * interface does not have. The text is the whole JSON object: all properties in their order, also
 * repeated ones, the text of all numbers and the contents of all strings. White space, and the
 * escapes that strings were written with, are not kept. Writing the record writes this object.
 * Without the {@code Puri} it also keeps objects with {@linkplain
 * dev.mintmark.Puris#hasUnknownCodes unknown codes}, as a list of compact pURIs may have them; with
 * it, these are malformed.
 *
 * <p><b>Properties</b> with {@link dev.mintmark.InCollection} are pURIs in every class that the
 * mapper reads and writes. They are of the class {@link dev.mintmark.Puri}, of that of the kind of
 * the collection, as {@link dev.mintmark.Ulid}, or records of one component. A pURI of another
 * collection is rejected.
 *
 * <p><b>Errors</b> are those of {@link MintmarkModule}: a pURI that is malformed, missing or not a
 * string is rejected with its place, and the cause is a {@link dev.mintmark.MalformedIdException}.
 *
 * <p>Immutable and thread-safe.
 */
public final class PuriModule extends Module {
  private final String name;
  private final Catalog catalog;
  private final Map<Class<?>, MixedInterface> byType;
  private final PuriTexts texts;

  private PuriModule(
      String name, Catalog catalog, Map<Class<?>, MixedInterface> byType, PuriTexts texts) {
    this.name = name;
    this.catalog = catalog;
    this.byType = byType;
    this.texts = texts;
  }

  /**
   * Returns the module.
   *
   * @param interfaces sealed interfaces of records; their nested sealed interfaces are read if they
   *     are given too
   * @throws IllegalArgumentException if one of them is not a sealed interface of records, if two
   *     records of one have the same collection, if the catalog does not have a collection, if
   *     their pURIs have several names, or if there is not one record for unknown types
   */
  public static PuriModule of(Catalog catalog, Class<?>... interfaces) {
    PuriTexts texts = new PuriTexts(catalog, false);
    Map<Class<?>, MixedInterface> byType = new HashMap<>();
    for (Class<?> each : interfaces) {
      MixedInterface mixed = MixedInterface.of(each, texts);
      byType.put(each, mixed);
      byType.put(mixed.unknown().type(), mixed.withoutRecords());
    }
    List<String> names = Stream.of(interfaces).map(Class::getName).toList();
    return new PuriModule("mintmark pURIs " + names, catalog, Map.copyOf(byType), texts);
  }

  /**
   * Returns the module that writes compact pURIs, for the mapper of an edge with slow networks.
   * Both read both. What a record for unknown types keeps is written unchanged.
   */
  public PuriModule compact() {
    return new PuriModule("compact " + name, catalog, byType, new PuriTexts(catalog, true));
  }

  @Override
  public String getModuleName() {
    return name;
  }

  /** The name, in which the interfaces are: a mapper has one module of each name. */
  @Override
  public Object getTypeId() {
    return name;
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public void setupModule(SetupContext context) {
    Map<Class<?>, UnknownRecord> unknown = new HashMap<>();
    byType.values().forEach(mixed -> unknown.put(mixed.unknown().type(), mixed.unknown()));
    context.insertAnnotationIntrospector(new PuriIntrospector(texts));
    context.addDeserializers(new MixedDeserializers(byType, texts));
    context.addSerializers(new MixedSerializers(unknown));
  }
}
