package dev.mintmark.spring;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.Kind;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image needs that no code of the application mentions: values whose {@code
 * valueOf(String)} Spring calls by reflection, the catalog, the statements of Mintmark, and the
 * declarations of {@link IdTypes}.
 */
final class MintmarkRuntimeHints implements RuntimeHintsRegistrar {
  /** Those whose kind has another class in columns, or that have no kind. */
  private static final List<Class<?>> OTHER_VALUES = List.of(NanoId.class, Puri.class);

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    Stream.concat(OTHER_VALUES.stream(), valuesOfKinds())
        .forEach(
            value -> hints.reflection().registerType(value, MemberCategory.INVOKE_PUBLIC_METHODS));
    hints.resources().registerPattern("mintmark.yaml");
    hints.resources().registerPattern("dev/mintmark/postgres/**");
    hints.resources().registerPattern("META-INF/services/" + IdTypes.class.getName());
    ServiceLoader.load(IdTypes.class, loader).stream()
        .forEach(
            declared ->
                hints
                    .reflection()
                    .registerType(declared.type(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
  }

  private static Stream<Class<?>> valuesOfKinds() {
    return Arrays.stream(Kind.values())
        .<Class<?>>map(kind -> IdType.of(kind, "").javaType())
        .filter(value -> value.getPackage().equals(Puri.class.getPackage()));
  }
}
