package dev.mintmark.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.Place;
import dev.mintmark.fixtures.LookAlikes;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The doctor and the draft of a catalog call no function and no operator that another role planted
 * on the search path, and report what they report without them.
 */
@Tag("slow")
class LookAlikesTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDoctorAndTheDraftCallNone(boolean isFirst) throws SQLException {
    TestDatabase database = IllDatabase.create(TestServer.NEWEST);
    Diagnosis expected = diagnosis(database);
    CatalogDraft expectedDraft = CatalogDraft.of(database.dataSource());
    if (isFirst) {
      LookAlikes.plantWithOperatorsBeforePgCatalog(database);
    } else {
      LookAlikes.plantInPublic(database);
    }

    Diagnosis diagnosis = diagnosis(database);
    CatalogDraft draft = CatalogDraft.of(database.dataSource());

    assertThat(diagnosis.notLookedAt()).isEmpty();
    assertThat(summary(diagnosis)).isEqualTo(summary(expected));
    assertThat(diagnosis.findings())
        .extracting(Finding::check)
        .as("each statement was sent")
        .containsAll(EnumSet.allOf(Check.class));
    assertThat(draft.catalog().collections()).hasSameSizeAs(expectedDraft.catalog().collections());
    assertThat(remarks(draft)).isEqualTo(remarks(expectedDraft));
  }

  private static Diagnosis diagnosis(TestDatabase database) throws SQLException {
    DeclaredMint declared =
        new DeclaredMint(
            "random_keys",
            "id",
            MintDeclaration.NONE.withPlace(Place.SERVER),
            Optional.of("mintmark.uuidv7()"),
            "mintmark.uuidv7()"::equals);
    return Doctor.over(database.dataSource()).examine(DoctorOptions.defaults(), List.of(declared));
  }

  private static List<String> summary(Diagnosis diagnosis) {
    return diagnosis.findings().stream()
        .map(finding -> finding.check() + " " + finding.object())
        .toList();
  }

  /** Without the schema, which a draft names if it is not the first of the path. */
  private static List<String> remarks(CatalogDraft draft) {
    return draft.remarks().stream().map(remark -> remark.text().replace("public.", "")).toList();
  }
}
