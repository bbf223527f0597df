package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.Main;
import java.lang.module.ModuleFinder;
import org.junit.jupiter.api.Test;

/** The jars as they are packaged. */
class ModulesIT {
  @Test
  void jarOfTheProgramHasAModuleName() {
    assertThat(ModuleFinder.of(UserProgram.placeOf(Main.class)).findAll())
        .extracting(module -> module.descriptor().name())
        .containsExactly("dev.mintmark.app");
  }
}
