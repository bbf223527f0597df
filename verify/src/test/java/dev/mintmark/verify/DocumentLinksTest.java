package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every relative link and every anchor of the documents leads to a file or a heading, and the index
 * of docs lists every page.
 */
class DocumentLinksTest {
  private static final Pattern FENCED = Pattern.compile("(?ms)^( *)```.*?^\\1```$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]+`");

  /** The target of {@code [text](target)} and {@code ![text](target)}. */
  private static final Pattern LINK = Pattern.compile("]\\((?<target>[^)\\s]+)\\)");

  /** A page that a text names without a link, such as {@code docs/pack.md}. */
  private static final Pattern MENTION = Pattern.compile("(?<![\\w/.-])docs/[\\w-]+\\.md");

  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(?<text>.+?) *$");
  private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");

  @Test
  void everyLinkLeadsSomewhere() {
    List<Path> pages = pages(Checkout.root());

    assertThat(pages.stream().flatMap(page -> targets(text(page)))).hasSizeGreaterThan(40);
    assertThat(broken(Checkout.root())).isEmpty();
  }

  @Test
  void theIndexListsEveryPage() {
    assertThat(unlisted(Checkout.root().resolve("docs"))).isEmpty();
  }

  /** Shows that the check of the index fails for a page that is missing, and for no other. */
  @Test
  void aPageThatTheIndexDoesNotListIsFound(@TempDir Path docs) throws IOException {
    Files.writeString(docs.resolve("README.md"), "[listed](listed.md) and missing.md");
    Files.writeString(docs.resolve("listed.md"), "# Listed");
    Files.writeString(docs.resolve("missing.md"), "# Missing");

    assertThat(unlisted(docs)).containsExactly("missing.md");
  }

  /** Shows that the check fails: each kind of broken link is found, and nothing else is. */
  @Test
  void brokenLinksAreFound(@TempDir Path root) throws IOException {
    Files.createDirectories(root.resolve("docs/target"));
    Files.writeString(root.resolve("docs/target/built.md"), "[output of a build](missing.md)");
    Files.writeString(root.resolve("docs/limits.md"), "# Limits\n\n## `pool` and *others*\n");
    Files.writeString(
        root.resolve("README.md"),
        """
        # Read me

        ## Twice
        ## Twice
        [right](docs/limits.md) [right](docs/limits.md#pool-and-others) [right](#twice-1)
        [right](https://example.org/missing.md) and `[code](missing.md)`, see docs/limits.md
        ```
        ## Code
        [code](missing.md)
        ```
        [wrong](docs/missing.md) ![wrong](docs/missing.png) [wrong](docs/limits.md#pools)
        [wrong](#thrice) [wrong](#code), see docs/mention.md
        """);

    assertThat(broken(root))
        .containsExactly(
            "README.md: docs/missing.md",
            "README.md: docs/missing.png",
            "README.md: docs/limits.md#pools",
            "README.md: #thrice",
            "README.md: #code",
            "README.md: docs/mention.md");
  }

  /** The page and the target of each link that leads nowhere. */
  private static List<String> broken(Path root) {
    List<String> broken = new ArrayList<>();
    for (Path page : pages(root)) {
      String text = text(page);
      Stream.concat(
              targets(text).filter(target -> !leadsSomewhere(page, target)),
              MENTION
                  .matcher(LINK.matcher(text).replaceAll(""))
                  .results()
                  .map(mention -> mention.group())
                  .filter(path -> !Files.isRegularFile(root.resolve(path))))
          .map(target -> root.relativize(page) + ": " + target)
          .forEach(broken::add);
    }
    return broken;
  }

  /** The pages of a directory that its README.md has no link to. */
  private static List<String> unlisted(Path docs) {
    Path index = docs.resolve("README.md");
    Set<String> listed = targets(text(index)).collect(Collectors.toSet());
    return pages(docs).stream()
        .filter(page -> !page.equals(index))
        .map(page -> docs.relativize(page).toString())
        .filter(page -> !listed.contains(page))
        .toList();
  }

  private static Stream<String> targets(String text) {
    return LINK.matcher(CODE.matcher(FENCED.matcher(text).replaceAll("")).replaceAll("`code`"))
        .results()
        .map(link -> link.group(1))
        .filter(target -> !EXTERNAL.matcher(target).matches());
  }

  private static boolean leadsSomewhere(Path page, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? page : page.resolveSibling(path);
    return Files.exists(file)
        && (hash < 0 || anchors(text(file)).contains(target.substring(hash + 1)));
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", ""))
        .map(heading -> heading.replace(' ', '-'))
        .forEach(
            anchor -> {
              String unique = anchor;
              for (int count = 1; !anchors.add(unique); count++) {
                unique = anchor + "-" + count;
              }
            });
    return anchors;
  }

  /** All Markdown files, without those that a build or a run of the program has made. */
  private static List<Path> pages(Path root) {
    List<Path> pages = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes any) {
              String name = directory.getFileName().toString();
              boolean isMade = name.equals("target") || name.equals("node_modules");
              return !directory.equals(root) && (isMade || name.startsWith("."))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes any) {
              if (file.toString().endsWith(".md")) {
                pages.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    pages.sort(null);
    return pages;
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
