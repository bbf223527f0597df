package dev.mintmark.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.operations.SampleSchemas;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;

/**
 * What the doctor says of schemas that others have made. {@code -Dmintmark.golden=write} writes the
 * expected reports anew; read the difference before it is kept.
 */
@Tag("slow")
class SampleDiagnosisTest {
  private static final Path RESOURCES =
      Path.of("src/test/resources/dev/mintmark/operations/schemas");

  @OnServersCsv({"V14, PAGILA", "V18, PAGILA", "V14, CHINOOK", "V18, CHINOOK"})
  void reportIsTheExpectedOne(TestServer server, SampleSchemas schema)
      throws SQLException, IOException {
    TestDatabase database = server.createDatabase();
    SampleSchemas.load(database, schema);

    Diagnosis diagnosis = Doctor.over(database.dataSource()).examine();

    assertThat(diagnosis.notLookedAt()).isEmpty();
    Path file = RESOURCES.resolve(schema.name().toLowerCase(Locale.ROOT)).resolve("doctor.txt");
    String report = report(diagnosis);
    if (System.getProperty("mintmark.golden", "").equals("write")) {
      Files.writeString(file, report, StandardCharsets.UTF_8);
    }
    assertThat(report).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }

  /** Without the sizes in bytes, which are not the same on every version. */
  private static String report(Diagnosis diagnosis) {
    return "%d tables%n".formatted(diagnosis.tables())
        + diagnosis.findings().stream()
            .map(
                finding ->
                    "%s %s %s%n  %s%n  remedy: %s%n"
                        .formatted(
                            finding.severity().label(),
                            finding.check().id(),
                            finding.object(),
                            finding.found().replaceAll("[0-9.]+ (bytes|[KMGT]iB)", "# bytes"),
                            finding.remedy()))
            .collect(Collectors.joining());
  }
}
