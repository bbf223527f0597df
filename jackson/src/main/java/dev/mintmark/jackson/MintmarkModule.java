package dev.mintmark.jackson;

import dev.mintmark.Catalog;
import dev.mintmark.IdType;
import dev.mintmark.Masks;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Identifiers in JSON: each is a string, as a value and as the key of a map. {@link
 * java.util.ServiceLoader} finds the module, so {@code findAndAddModules()} adds it.
 *
 * <pre>{@code
 * JsonMapper mapper = JsonMapper.builder().findAndAddModules().build();
 * mapper.writeValueAsString(new PaymentId(123));            // "PM000123"
 * mapper.readValue("\"PM000123\"", PaymentId.class);        // PaymentId[value=123]
 * }</pre>
 *
 * <p>It knows {@code Ulid}, {@code TypeId}, {@code NanoId}, {@code Snowflake}, {@code Tsid}, {@code
 * Ksuid}, {@code ObjectId}, {@code Xid} and {@code Puri}, the classes that {@link
 * dev.mintmark.IdTypes} declare, and the types that {@link #of} is given. A Snowflake is a string
 * too, because it can exceed 2^53.
 *
 * <p><b>Errors.</b> Malformed text is rejected with an exception whose cause is the {@link
 * dev.mintmark.MalformedIdException} and whose message has its reason. So is a number, or anything
 * but a string: nothing is coerced. {@link JsonPointers} says where.
 *
 * <p><b>Faces.</b> {@link #withFaces} is another module, for the mapper of the HTTP edge. Do not
 * add it to the application's own mapper: that one also writes to queues, caches and databases,
 * which would keep faces in place of identifiers.
 *
 * <p>Immutable and thread-safe.
 */
public final class MintmarkModule extends JacksonModule {
  private final String name;
  private final IdTexts texts;
  private final Optional<Faces> faces;

  private MintmarkModule(String name, IdTexts texts, Optional<Faces> faces) {
    this.name = name;
    this.texts = texts;
    this.faces = faces;
  }

  /** The module of Mintmark's own values, and of the classes that {@code IdTypes} declare. */
  public MintmarkModule() {
    this("mintmark", new PlainTexts(List.of(), Optional.empty()), Optional.empty());
  }

  /**
   * Returns the module, with additional types. They come first: a type of {@code SequenceId} makes
   * these readable.
   *
   * @param types of one class at most one
   * @throws IllegalArgumentException if two types have one class
   */
  public static MintmarkModule of(List<? extends IdType<?>> types) {
    return new MintmarkModule(
        "mintmark types " + names(types),
        new PlainTexts(types, Optional.empty()),
        Optional.empty());
  }

  /**
   * Returns the module, with additional types and the classes that are annotated with {@link
   * dev.mintmark.InCollection}.
   *
   * @param types of one class at most one
   * @throws IllegalArgumentException if two types have one class
   */
  public static MintmarkModule of(Catalog catalog, List<? extends IdType<?>> types) {
    return new MintmarkModule(
        "mintmark types of %s %s".formatted(catalog.namespace(), names(types)),
        new PlainTexts(types, Optional.of(catalog)),
        Optional.empty());
  }

  private static List<String> names(List<? extends IdType<?>> types) {
    return types.stream().map(type -> type.javaType().getName()).toList();
  }

  /**
   * Returns the module of faces, for the mapper of the HTTP edge. Add it to a mapper that has the
   * plain module, in any order:
   *
   * <pre>{@code
   * JsonMapper edge = mapper.rebuild().addModule(MintmarkModule.withFaces(masks)).build();
   * }</pre>
   *
   * <p>It writes and reads the faces of classes that are annotated with {@link
   * dev.mintmark.InCollection}, if their collection has a face, and of properties that are
   * annotated with {@link dev.mintmark.Face}: also of the elements of an annotated collection or
   * array of objects. Their plain text is rejected, and so is a forged face of a number. A property
   * that cannot be masked, as a {@code long[]}, makes the mapper fail when it first meets the
   * class.
   *
   * <p>If the catalog declares a {@link dev.mintmark.FaceChange}, objects have both faces until the
   * old one ends: {@code "id": 123, "id_str": "pay_..."}. Elements of an array and keys of a map
   * have the old one. Both properties, and both faces, are read; of two properties the last.
   */
  public static MintmarkModule withFaces(Masks masks) {
    return withFaces(masks, List.of());
  }

  /**
   * Returns the module of faces, with the types of classes that are neither declared by {@code
   * IdTypes} nor records of one component.
   *
   * @param types of one class at most one
   * @throws IllegalArgumentException if two types have one class
   */
  public static MintmarkModule withFaces(Masks masks, List<? extends IdType<?>> types) {
    Faces faces = new Faces(masks, types);
    return new MintmarkModule("mintmark faces", faces, Optional.of(faces));
  }

  @Override
  public String getModuleName() {
    return name;
  }

  /** The name, in which the classes of the types are: a mapper has one module of each name. */
  @Override
  public Object getRegistrationId() {
    return name;
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public void setupModule(SetupContext context) {
    context.addSerializers(new IdSerializers(texts, IdSerializer::new));
    context.addKeySerializers(new IdSerializers(texts, IdKeySerializer::new));
    context.addDeserializers(new IdDeserializers(texts));
    context.addKeyDeserializers(new IdKeyDeserializers(texts));
    // Or a module that is added later would show plain text.
    if (faces.isPresent()) {
      NewFaceNames names = new NewFaceNames(faces.get());
      context.addDeserializerModifier(names);
      context.insertAnnotationIntrospector(new FaceIntrospector(faces.get(), names));
      context.addSerializerModifier(new NewFaceProperties(faces.get()));
      context.addSerializerModifier(new FaceKeySerializers(faces.get()));
      context.addDeserializerModifier(new FaceKeyDeserializers(faces.get()));
    }
  }
}
