package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bill of materials has all published artifacts, in their version, and nothing else. */
class BomTest {
  private static final String MANAGED = "/project/dependencyManagement/dependencies/dependency";

  @Test
  void everyPublishedArtifactIsListed() {
    List<String> artifacts = new ArrayList<>();
    for (String module : Pom.publishedModules()) {
      if (!module.equals("bom")) {
        artifacts.addAll(Pom.of(module).texts("/project/artifactId"));
      }
    }

    assertThat(artifacts).hasSizeGreaterThan(8);
    assertThat(Pom.of("bom").texts(MANAGED + "/artifactId"))
        .containsExactlyInAnyOrderElementsOf(artifacts);
    assertThat(Pom.of("bom").texts(MANAGED + "/groupId")).containsOnly("dev.mintmark");
    assertThat(Pom.of("bom").texts(MANAGED + "/version")).containsOnly("${project.version}");
  }

  @Test
  void versionIsThatOfTheProject() {
    assertThat(Pom.of("bom").texts("/project/version"))
        .isEqualTo(Pom.of(".").texts("/project/version"));
  }

  @Test
  void addressIsThatOfTheProject() {
    assertThat(Pom.of("bom").texts("/project/properties/project.site"))
        .hasSize(1)
        .isEqualTo(Pom.of(".").texts("/project/properties/project.site"));
  }

  /** With a parent, importing it would import all managed versions of the parent. */
  @Test
  void nothingIsInherited() {
    assertThat(Pom.of("bom").texts("/project/parent/artifactId")).isEmpty();
  }
}
