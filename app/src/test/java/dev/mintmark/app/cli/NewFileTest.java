package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.app.cli.common.FileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {
  /** As Linux reports it for a file system that has none. */
  private static final NewFile.Link NO_HARD_LINKS =
      (link, existing) -> {
        throw new FileSystemException(
            link.toString(), existing.toString(), "Operation not permitted");
      };

  @TempDir Path directory;

  private NewFile written(Path file) throws IOException {
    NewFile written = NewFile.create("backup", file);
    written.stream().write("text".getBytes(StandardCharsets.UTF_8));
    return written;
  }

  @Test
  void aFileSystemWithoutHardLinksSuffices() throws IOException {
    Path file = directory.resolve("a");

    try (NewFile written = written(file)) {
      written.complete(NO_HARD_LINKS);
    }

    assertThat(file).hasContent("text");
    assertThat(directory.toFile().list()).containsExactly("a");
  }

  @Test
  void aFileThatWasCreatedMeanwhileIsNotReplaced() throws IOException {
    for (NewFile.Link link : new NewFile.Link[] {NO_HARD_LINKS, Files::createLink}) {
      Path file = directory.resolve("b");
      try (NewFile written = written(file)) {
        Files.writeString(file, "another");

        assertThatExceptionOfType(FileException.class).isThrownBy(() -> written.complete(link));
      }

      assertThat(file).hasContent("another");
      assertThat(directory.toFile().list()).containsExactly("b");
      Files.delete(file);
    }
  }
}
