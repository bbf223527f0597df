package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.MintmarkCommand;
import dev.mintmark.catalog.CatalogSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * The classes, tables, settings and commands in docs/glossary.md exist, and no term is repeated.
 */
class GlossaryTest {
  /** {@code | term | also known as | `Class` | `place` | meaning |}. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\|([^|\n]+)\\|([^|\n]+)\\|([^|\n]*)\\|([^|\n]*)\\|([^|\n]+)\\|$");

  private static final Pattern HEADING = Pattern.compile("term|-+");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern CREATE =
      Pattern.compile(
          "(?is)create\\s+(?:table|sequence)\\s+(?:if\\s+not\\s+exists\\s+)?(mintmark\\.\\w+)(.*?;)");

  private static Set<String> classes;
  private static Map<String, String> relations;

  /** A row of the glossary. */
  record Row(String term, String alias, String types, String places, String meaning) {
    List<String> terms() {
      return List.of(term.split(", "));
    }

    boolean isComplete() {
      return !term.isEmpty()
          && !alias.isEmpty()
          && NAME.matcher(types).find()
          && !meaning.isEmpty();
    }
  }

  @BeforeAll
  static void readSources() {
    classes = Sources.MAIN.classNames();
    relations = new HashMap<>();
    for (String script : Sources.MAIN.texts(".sql")) {
      CREATE.matcher(script).results().forEach(it -> relations.put(it.group(1), it.group(2)));
    }
  }

  @Test
  @Tag("slow")
  void everythingInTheGlossaryExists() {
    String text = new Page("docs/glossary.md").text();

    assertThat(rows(text)).hasSizeGreaterThan(50).allMatch(Row::isComplete);
    assertThat(faults(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "| pool | p | `Pool` | `mintmark.pool` | m |; no fault",
        "| pool | p | `Poool` | | m |; Poool",
        "| pool | p | `Pool` | `mintmark.pools` | m |; mintmark.pools",
        "| owner | p | `Pool` | `mintmark.pool_claim.owner` | m |; no fault",
        "| owner | p | `Pool` | `mintmark.pool_claim.own` | m |; mintmark.pool_claim.own",
        "| drain | p | `Pool` | `mintmark pool drain --undo` | m |; no fault",
        "| drain | p | `Pool` | `mintmark pool dry` | m |; mintmark pool dry",
        "| drain | p | `Pool` | `mintmark pool drain --yes` | m |; mintmark pool drain --yes",
        "| kind | p | `Kind` | `kind:` | m |; no fault",
        "| kind | p | `Kind` | `sort:` | m |; sort:",
        "| fill, pool | p | `Pool` | | m |; pool is listed twice",
      })
  void whatDoesNotExistIsFound(String row, String fault) {
    List<String> faults =
        faults("| pool | p | `Pool` | | m |\n".repeat(fault.endsWith("twice") ? 1 : 0) + row);

    assertThat(faults).isEqualTo(fault.equals("no fault") ? List.of() : List.of(fault));
  }

  /** The names that do not exist and the terms that are repeated. */
  private static List<String> faults(String text) {
    List<String> faults = new ArrayList<>();
    Set<String> terms = new HashSet<>();
    for (Row row : rows(text)) {
      row.terms().stream()
          .filter(term -> !terms.add(term))
          .forEach(term -> faults.add(term + " is listed twice"));
      names(row.types()).filter(name -> !classes.contains(name)).forEach(faults::add);
      names(row.places()).filter(name -> !exists(name)).forEach(faults::add);
    }
    return faults;
  }

  private static List<Row> rows(String text) {
    return ROW.matcher(text)
        .results()
        .map(row -> Stream.of(1, 2, 3, 4, 5).map(row::group).map(String::strip).toList())
        .filter(cells -> !HEADING.matcher(cells.get(0)).matches())
        .map(cells -> new Row(cells.get(0), cells.get(1), cells.get(2), cells.get(3), cells.get(4)))
        .toList();
  }

  private static Stream<String> names(String cell) {
    return NAME.matcher(cell).results().map(name -> name.group(1));
  }

  private static boolean exists(String name) {
    if (name.endsWith(":")) {
      return CatalogSchema.text().contains("\"" + name.replace(":", "\": {"));
    }
    return name.startsWith("mintmark.") ? isRelation(name) : isCommand(name.split(" "));
  }

  /** Whether it is a table, a sequence, or a column of a table: {@code mintmark.pool.name}. */
  private static boolean isRelation(String name) {
    Matcher parts = Pattern.compile("(mintmark\\.\\w+)(?:\\.(\\w+))?").matcher(name);
    if (!parts.matches() || !relations.containsKey(parts.group(1))) {
      return false;
    }
    return parts.group(2) == null
        || Pattern.compile("(?m)^\\s+" + parts.group(2) + "\\s")
            .matcher(relations.get(parts.group(1)))
            .find();
  }

  /** Whether it is a command, with an option of it at the end or without one. */
  private static boolean isCommand(String[] words) {
    CommandLine command = MintmarkCommand.commandLine();
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      if (word.startsWith("--")) {
        return command.getCommandSpec().findOption(word) != null;
      }
      command = command.getSubcommands().get(word);
      if (command == null) {
        return false;
      }
    }
    return words[0].equals("mintmark");
  }
}
