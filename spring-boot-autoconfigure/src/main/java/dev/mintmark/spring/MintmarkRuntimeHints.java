package dev.mintmark.spring;

import dev.mintmark.IdTypes;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import java.util.List;
import java.util.ServiceLoader;
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
  private static final List<Class<?>> VALUES =
      List.of(
          Ulid.class, Snowflake.class, TypeId.class, NanoId.class, Puri.class, SequenceId.class);

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    for (Class<?> value : VALUES) {
      hints.reflection().registerType(value, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
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
}
