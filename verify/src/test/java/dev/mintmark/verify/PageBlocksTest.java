package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mintmark.app.cli.MintmarkCommand;
import dev.mintmark.catalog.CatalogReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every block of the README and of docs that is marked with a language is read by a test, or a
 * reason says why not. A new block fails this test until its row says what reads it.
 */
class PageBlocksTest {
  private static final Pattern BLOCK =
      Pattern.compile("^( *)```([a-z]*)\n(.*?)^\\1```$", Pattern.MULTILINE | Pattern.DOTALL);

  /** Page, language, number of blocks, and the test that reads them, or a reason. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?<blocks>(?<page>\\S+) [a-z]+ \\d+) (?:(?<tests>\\w+(?:, \\w+)*)|not run: .+)");

  private static final String READ =
      """
      README.md console 3 ReadmeIT
      README.md java 1 ReadmeIT
      README.md xml 1 PageBlocksTest
      docs/access.md console 4 ServerPagesIT
      docs/bigquery-guide.md bash 3 not run: they need BigQuery
      docs/bigquery-guide.md sh 3 BigQueryGuideIT
      docs/bigquery-guide.md sql 3 BigQueryGuideIT, DuckDbScriptTest
      docs/catalog.md yaml 3 ReadmeIT, PageBlocksTest
      docs/changing-ids.md java 2 ChangingIdsPageTest, PageJavaTest
      docs/changing-ids.md json 1 PageBlocksTest
      docs/changing-ids.md yaml 1 ChangingIdsPageTest
      docs/clients.md console 2 ClientsPageIT
      docs/clients.md java 4 ClientsPageIT
      docs/clients.md xml 1 PageBlocksTest
      docs/command-line.md console 3 ReadmeIT
      docs/conformance.md python 1 ConformancePageTest
      docs/convert.md console 7 ConvertIT
      docs/errors.md json 1 PageBlocksTest
      docs/find.md console 1 FindIT
      docs/find.md java 1 RowFinderTest
      docs/find.md json 1 PageBlocksTest
      docs/find.md yaml 1 PageBlocksTest
      docs/formats.md console 1 InspectCommandTest
      docs/formats.md yaml 1 InspectCommandTest
      docs/getting-started.md console 5 GettingStartedIT
      docs/getting-started.md java 1 GettingStartedIT
      docs/getting-started.md xml 1 GettingStartedIT
      docs/hibernate.md java 4 PageTest
      docs/hibernate.md sql 1 SqlPagesTest
      docs/high-availability.md yaml 2 PageBlocksTest
      docs/http.md console 3 ServerPagesIT, GeneratedClientTest
      docs/http.md ts 1 GeneratedClientTest
      docs/idtype.md java 7 IdTypePageTest
      docs/jackson.md java 6 JacksonPageTest
      docs/jdbc-libraries.md java 13 JdbcLibrariesPageTest
      docs/jdbc.md java 5 JdbcPageTest
      docs/jdbc.md sql 1 JdbcPageTest
      docs/masks.md java 3 JavaPagesTest
      docs/masks.md yaml 2 PageBlocksTest
      docs/migrate.md yaml 2 PageBlocksTest
      docs/mints.md java 2 MintsPageTest
      docs/modules.md xml 1 PageBlocksTest
      docs/operations.md console 2 OperationsIT
      docs/operations.md json 1 PageBlocksTest
      docs/operations.md yaml 1 PageBlocksTest
      docs/other-languages.md go 4 OtherLanguagesIT
      docs/other-languages.md js 4 OtherLanguagesIT
      docs/other-languages.md python 4 OtherLanguagesIT
      docs/other-languages.md sql 3 OtherLanguagesIT
      docs/pack.md sql 13 PackIT
      docs/pages.md java 6 JavaPagesTest
      docs/pools-databases.md java 1 JavaPagesTest
      docs/pools-databases.md shell 2 PageBlocksTest
      docs/pools-databases.md yaml 1 PageBlocksTest
      docs/pools-numbers.md java 2 JavaPagesTest
      docs/pools-numbers.md yaml 2 PageBlocksTest
      docs/pools-regions.md java 1 JavaPagesTest
      docs/pools-regions.md yaml 1 PageBlocksTest
      docs/pools-slices.md java 1 JavaPagesTest
      docs/pools-sql.md java 1 JavaPagesTest
      docs/pools-sql.md sql 3 SqlPagesTest
      docs/pools.md java 1 JavaPagesTest
      docs/pools.md json 2 PageBlocksTest
      docs/pools.md sql 2 SqlPagesTest
      docs/pools.md yaml 1 PageBlocksTest
      docs/puris.md bash 2 PageBlocksTest
      docs/puris.md java 9 PurisPageTest, AnyReferenceTest
      docs/puris.md js 1 not run: puri.test.js of the console reads all vectors with such a module
      docs/puris.md json 2 PurisIT, PurisPageTest
      docs/puris.md sql 2 AnyReferenceTest
      docs/puris.md yaml 1 PurisPageTest
      docs/search.md java 2 JavaPagesTest
      docs/search.md sql 1 SqlPagesTest
      docs/spark.md java 1 SparkPageTest
      docs/spark.md python 1 not run: it needs PySpark
      docs/spark.md scala 1 not run: it needs the compiler of Scala; the Java before it is the same
      docs/spark.md sql 3 SparkPageTest
      docs/spring.md java 5 PageJavaTest
      docs/spring.md json 1 PageBlocksTest
      docs/spring.md sql 1 SqlPagesTest
      docs/spring.md xml 1 PageBlocksTest
      docs/spring.md yaml 3 PageBlocksTest
      docs/testkit.md java 2 TestkitPageTest
      docs/values.md java 4 ValuesPageTest
      docs/warehouse.md sql 1 not run: it needs BigQuery
      """;

  /** Keys at the top of YAML for other programs: Patroni, Prometheus and Spring Boot. */
  private static final Set<String> KEYS_OF_OTHERS =
      Set.of("bootstrap", "groups", "mintmark.snowflakes");

  /** A command after a prompt or variables of the environment; after a backslash it continues. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "^(?:\\$ )?(?:[A-Z_]+=\\S+ )*(?:\\./)?mintmark ((?:.*\\\\\n)*.*)$", Pattern.MULTILINE);

  /** A word, in quotes or not. */
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  /** Commands that are shown with their errors, and one that stands for two. */
  private static final Set<String> INVALID = Set.of("mint --kind ulld", "claim", "pool renew");

  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>mintmark-(\\S+)</artifactId>");

  /** A block of a page. */
  private record Block(String page, String language, String text) {}

  @Test
  void everyBlockHasATestOrAReason() {
    Map<String, Long> blocks =
        blocks("[a-z]+")
            .collect(
                Collectors.groupingBy(
                    block -> block.page() + " " + block.language(),
                    TreeMap::new,
                    Collectors.counting()));

    assertThat(rows().stream().map(row -> row.group("blocks")))
        .containsExactlyElementsOf(
            blocks.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList());
  }

  /** The name of a test can be that of several classes, in different modules. */
  @Test
  void testsNameThePagesThatTheyRead() {
    List<Path> tests = Sources.TESTS.files(".java");

    for (Matcher row : rows()) {
      String page = row.group("page");
      for (String test : namesOfTests(row)) {
        assertThat(tests.stream().filter(file -> file.endsWith(test + ".java")))
            .as(row.group())
            .anyMatch(
                file -> Sources.text(file).contains(page.substring(page.lastIndexOf('/') + 1)));
      }
    }
  }

  @Test
  void everyJsonIsJson() {
    assertThat(blocks("json")).hasSizeGreaterThan(5).allSatisfy(PageBlocksTest::assertIsJson);
  }

  /** A block that starts with a name shows a member of an object. */
  private static void assertIsJson(Block block) {
    String json = block.text().startsWith("\"") ? "{" + block.text() + "}" : block.text();
    assertThatCode(() -> JsonMapper.shared().readTree(json))
        .as(block.toString())
        .doesNotThrowAnyException();
  }

  @Test
  void everyYamlIsYamlAndEveryCatalogIsRead() {
    List<Block> catalogs = new ArrayList<>();
    blocks("yaml")
        .forEach(
            block -> {
              Object document =
                  new Load(LoadSettings.builder().setLabel(block.page()).build())
                      .loadFromString(block.text());
              if (Collections.disjoint(((Map<?, ?>) document).keySet(), KEYS_OF_OTHERS)) {
                catalogs.add(block);
              }
            });

    assertThat(catalogs).hasSizeGreaterThan(12);
    for (Block catalog : catalogs) {
      boolean isWhole = catalog.text().contains("namespace: ");
      CatalogReader.read(catalog.page(), (isWhole ? "" : "namespace: shop\n") + catalog.text());
    }
  }

  @Test
  void everyArtifactIsAModule() {
    assertThat(blocks("xml"))
        .hasSizeGreaterThan(3)
        .allSatisfy(
            block -> {
              Matcher artifact = ARTIFACT.matcher(block.text());
              assertThat(artifact.find()).isTrue();
              assertThat(Checkout.root().resolve(artifact.group(1)).resolve("pom.xml")).exists();
            });
  }

  /** Also in blocks without a language: with its options, and what they accept. */
  @Test
  @Tag("slow")
  void everyCommandCanBeRun() {
    List<String> commands =
        blocks("[a-z]*")
            .flatMap(block -> COMMAND.matcher(block.text()).results())
            .map(command -> withoutShell(command.group(1)))
            .filter(command -> !INVALID.contains(command))
            .toList();

    assertThat(commands).hasSizeGreaterThan(140);
    for (String command : commands) {
      String[] arguments =
          WORD.matcher(command)
              .results()
              .map(word -> Stream.of(1, 2, 3).map(word::group).filter(Objects::nonNull))
              .map(word -> word.findFirst().orElseThrow())
              .toArray(String[]::new);
      assertThatCode(() -> MintmarkCommand.commandLine(arguments).parseArgs(arguments))
          .as(command)
          .doesNotThrowAnyException();
    }
  }

  /** Without comments, redirections, brackets of what may be omitted, and placeholders. */
  private static String withoutShell(String command) {
    return command
        .replace("\\\n", "")
        .replaceFirst(" +#.*$", "")
        .replaceFirst(" [|>;<&].*", "")
        .replaceAll("[\\[\\]]|\\.\\.\\.(?= |$)", "")
        .replaceAll("(?<= )[NS](?= |$)", "1")
        .replaceAll("(?<= )INSTANT(?= |$)", "2026-01-01T00:00:00Z")
        .strip();
  }

  private static List<Matcher> rows() {
    return READ.lines()
        .map(ROW::matcher)
        .peek(row -> assertThat(row.matches()).as(row.toString()).isTrue())
        .toList();
  }

  private static List<String> namesOfTests(Matcher row) {
    String tests = row.group("tests");
    return tests == null ? List.of() : List.of(tests.split(", "));
  }

  private static Stream<Block> blocks(String language) {
    Pattern marked = Pattern.compile(language);
    return Page.all().stream()
        .flatMap(
            page ->
                BLOCK
                    .matcher(page.text())
                    .results()
                    .filter(block -> marked.matcher(block.group(2)).matches())
                    .map(
                        block ->
                            new Block(page.path(), block.group(2), block.group(3).stripIndent())));
  }
}
