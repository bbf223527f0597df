package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * States for every public type whether it is serializable and how its text is read. The tests fail
 * for a new type until it is listed here.
 */
class PublicTypesTest {
  /** Values that a text alone determines: {@code valueOf(String)} reads it. */
  private static final Set<Class<?>> READ_FROM_TEXT =
      Set.of(
          Ulid.class,
          Snowflake.class,
          TypeId.class,
          NanoId.class,
          Puri.class,
          Tsid.class,
          Ksuid.class,
          ObjectId.class,
          Xid.class);

  /** Values that need a format, a layout or a collection beside their text. */
  private static final Set<Class<?>> READ_BY_ANOTHER = Set.of(SequenceId.class, TypedId.class);

  /** Types with a {@link SerializationProxy}. Enums and exceptions are serializable by nature. */
  private static final Set<Class<?>> SERIALIZABLE =
      Set.of(
          Ulid.class,
          Snowflake.class,
          SequenceId.class,
          TypeId.class,
          NanoId.class,
          Puri.class,
          Tsid.class,
          Ksuid.class,
          ObjectId.class,
          Xid.class);

  private static final Set<Class<?>> NOT_SERIALIZABLE =
      Set.of(
          Block.class,
          Block.Positions.class,
          Catalog.class,
          CatalogFinding.class,
          CidrBlock.class,
          CidrPrefixes.class,
          CollectionSpec.class,
          CollectionSpec.Builder.class,
          CollectionSpec.Face.class,
          CollectionSpec.Reference.class,
          ColumnValue.class,
          ColumnValue.Bigint.class,
          ColumnValue.Text.class,
          ColumnValue.Uuid.class,
          DeclaredFormats.class,
          DurationText.class,
          Entropy.class,
          Experimental.class,
          Face.class,
          FaceChange.class,
          FormatSpec.class,
          FormatSpec.Bits.class,
          FormatSpec.Content.class,
          FormatSpec.Field.class,
          FormatSpec.Shape.class,
          FormatSpec.TimeRange.class,
          FormatSpec.Unit.class,
          IdRange.class,
          IdType.class,
          IdTypes.class,
          InCollection.class,
          IdScanner.class,
          IdScanner.Found.class,
          IdScanner.Miss.class,
          IdScanner.Scan.class,
          Inspector.class,
          Ipv6Embedding.class,
          Ipv6Hash.class,
          Keyring.class,
          Mask.class,
          Masks.class,
          Mint.class,
          MintCache.class,
          MintOptions.class,
          MintDeclaration.class,
          MintSettings.class,
          NamespaceSpec.class,
          NanoId.Format.class,
          NumberRange.class,
          NumberRuns.class,
          OldFace.class,
          OldFaceListener.class,
          PoolSpec.class,
          PoolSpec.Source.class,
          PuriReference.class,
          Puris.class,
          Quoted.class,
          Reading.class,
          Reading.Field.class,
          Reading.Span.class,
          ReferenceSpec.class,
          ReferenceTypes.class,
          SequenceId.Format.class,
          SnowflakeLayout.class,
          Spelling.class,
          IdReader.class,
          ReadingTally.class,
          Transcoder.class,
          TypedCollection.class,
          TypedId.class,
          Utf8.class,
          Uuids.class,
          ValueList.class);

  @Test
  void everyPublicTypeSaysWhetherItIsSerializable() {
    Set<Class<?>> decided = new HashSet<>(SERIALIZABLE);
    decided.addAll(NOT_SERIALIZABLE);

    assertThat(decided).hasSize(SERIALIZABLE.size() + NOT_SERIALIZABLE.size());
    assertThat(publicTypes().filter(type -> !type.isEnum() && !isException(type)))
        .containsExactlyInAnyOrderElementsOf(decided);
  }

  @Test
  void typesAreSerializableAsTheySay() {
    assertThat(SERIALIZABLE).allMatch(Serializable.class::isAssignableFrom);
    assertThat(NOT_SERIALIZABLE).noneMatch(Serializable.class::isAssignableFrom);
  }

  @Test
  void nothingElseDeclaresItselfSerializable() {
    Set<Class<?>> expected = new HashSet<>(SERIALIZABLE);
    expected.add(SerializationProxy.class);

    assertThat(
            types()
                .filter(type -> Arrays.asList(type.getInterfaces()).contains(Serializable.class)))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void serializableTypesAreFinalAndHaveAProxy() {
    assertThat(SERIALIZABLE)
        .allSatisfy(
            type -> {
              assertThat(type).isFinal();
              assertThat(methods(type, "writeReplace")).hasSize(1);
              assertThat(methods(type, "readObject")).hasSize(1);
            });
  }

  @Test
  void valuesThatATextAloneDeterminesHaveValueOf() throws NoSuchMethodException {
    for (Class<?> type : READ_FROM_TEXT) {
      Method valueOf = type.getMethod("valueOf", String.class);
      assertThat(valueOf.getReturnType()).isEqualTo(type);
      assertThat(Modifier.isStatic(valueOf.getModifiers())).isTrue();
    }
  }

  /** Spring and JAX-RS call any of these by name, so none may read a text that is not enough. */
  @Test
  void noOtherTypeHasAFactoryThatFrameworksCallByName() {
    Stream<Class<?>> found =
        publicTypes()
            .filter(type -> !type.isEnum())
            .filter(
                type ->
                    Stream.of("valueOf", "of", "from", "fromString")
                        .flatMap(name -> methods(type, name).stream())
                        .anyMatch(method -> isFactory(method, type)));

    assertThat(found).containsExactlyInAnyOrderElementsOf(READ_FROM_TEXT);
  }

  @Test
  void everyValueIsReadFromItsTextOrByAnother() {
    Set<Class<?>> values = new HashSet<>(READ_FROM_TEXT);
    values.addAll(READ_BY_ANOTHER);

    assertThat(values).containsAll(SERIALIZABLE);
  }

  private static boolean isFactory(Method method, Class<?> type) {
    return Modifier.isStatic(method.getModifiers())
        && method.getReturnType() == type
        && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class});
  }

  private static boolean isException(Class<?> type) {
    return Throwable.class.isAssignableFrom(type);
  }

  private static List<Method> methods(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .toList();
  }

  private static Stream<Class<?>> publicTypes() {
    return types().filter(PublicTypesTest::isPublic);
  }

  /** Whether other packages see it: a nested type may be public inside of one that is not. */
  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
  }

  /** Every type of the module, of its folder of classes. */
  private static Stream<Class<?>> types() {
    try (Stream<Path> files = Files.walk(classes())) {
      Set<Class<?>> types =
          files
              .map(file -> classes().relativize(file).toString())
              .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
              .map(file -> file.substring(0, file.length() - ".class".length()))
              .map(file -> named(file.replace(File.separatorChar, '.')))
              .collect(Collectors.toSet());
      assertThat(types).hasSizeGreaterThan(100);
      return types.stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name, false, PublicTypesTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Path classes() {
    try {
      return Path.of(Ulid.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
