package dev.mintmark.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;

class SparkJvmTest {
  @Test
  void thisJvmHasTheOptionsThatSparkGivesItsOwn() {
    assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
        .containsAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
  }
}
