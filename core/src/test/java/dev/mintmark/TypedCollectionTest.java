package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypedCollectionTest {
  private static final Puris PURIS = Puris.of(Vectors.catalog());
  private static final TypedCollection<Meat> MEATS = PURIS.typed("meats", Meat.class);
  private static final TypedCollection<Payment> PAYMENTS = PURIS.typed("payments", Payment.class);
  private static final String MEAT = "bobsburgers:meats:017fe093-7adf-9932-aaaa-01fd0ba14d3f";

  record Meat() {}

  record Payment() {}

  @Test
  void idOfTheCollectionIsReadFromItsPuriAndFromItsColumn() {
    UUID uuid = Uuids.parse("017fe093-7adf-9932-aaaa-01fd0ba14d3f");

    TypedId<Meat> id = MEATS.parse("bobsburgers:meats:01FZG96YPZK4SANAG1ZM5T2K9Z");

    assertThat(id).hasToString(MEAT);
    assertThat(id.puri()).hasToString(MEAT);
    assertThat(id.stored()).isEqualTo(new ColumnValue.Uuid(uuid));
    assertThat(id.stored().toObject()).isEqualTo(uuid);
    assertThat(id.collection()).isSameAs(MEATS).hasToString("bobsburgers:meats");
    assertThat(MEATS.from(new ColumnValue.Uuid(uuid))).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(MEATS.from(Puri.parse(MEAT))).isEqualTo(id);
    assertThat(MEATS.parse("b.m.AX_gk3rfmTKqqgH9C6FNPw")).isEqualTo(id);
    assertThat(MEATS.type()).isEqualTo(Meat.class);
    assertThat(MEATS.storage()).isEqualTo(Kind.Storage.UUID);
    assertThat(PAYMENTS.storage()).isEqualTo(Kind.Storage.BIGINT);
  }

  @Test
  void idOfAnotherCollectionIsRefused() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> MEATS.parse("bobsburgers:payments:PM000123"))
        .withMessage(
            "malformed pURI \"bobsburgers:payments:PM000123\": it is one of"
                + " \"bobsburgers:payments\": expected one of \"bobsburgers:meats\"");
    assertThat(MEATS.tryParse("b.p.123")).isEmpty();
    assertThat(MEATS.tryParse(MEAT.replace("bobsburgers", "jimmys"))).isEmpty();
    assertThat(MEATS.tryParse(MEAT)).isPresent();
  }

  @Test
  void identifierThatIsNotOfTheKindIsRefused() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> MEATS.parse("bobsburgers:meats:chicken"))
        .withMessageContaining("expected 26 of a ULID");
    assertThatIllegalArgumentException().isThrownBy(() -> MEATS.from(new ColumnValue.Bigint(1)));
  }

  @Test
  void collectionMayBeNamedByItsAlias() {
    TypedCollection<Payment> mandates = PURIS.typed("direct-debits", Payment.class);

    assertThat(mandates).hasToString("bobsburgers:mandates");
    assertThat(mandates.parse("bobsburgers:direct-debits:MD7"))
        .isEqualTo(mandates.from(new ColumnValue.Bigint(7)));
  }

  @Test
  void collectionIsFoundInEitherCaseAndInAnyNamespace() {
    assertThat(PURIS.typed("Direct-DEBITS", Payment.class)).hasToString("bobsburgers:mandates");

    TypedCollection<Payment> tracks = PURIS.typed("SoundCloud", "Tracks", Payment.class);

    assertThat(tracks).hasToString("soundcloud:tracks");
    assertThat(tracks.parse("sc.t.7")).isEqualTo(tracks.from(new ColumnValue.Bigint(7)));
    assertThat(tracks.tryParse("bobsburgers:tracks:01FZG96YPZK4SANAG1ZM5T2K9Z")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PURIS.typed("bobsburgers:tracks", "x", Meat.class))
        .withMessage("the catalog has no collection \"bobsburgers:tracks:x\"");
  }

  @Test
  void any128BitsAreKept() {
    UUID version4 = Uuids.parse("919108f7-52d1-4320-9bac-f847db4148a8");

    assertThat(MEATS.parse("bobsburgers:meats:" + version4).stored())
        .isEqualTo(new ColumnValue.Uuid(version4));
  }

  @Test
  void collectionThatIsNotDeclaredHasNoType() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PURIS.typed("desserts", Meat.class))
        .withMessage("the catalog has no collection \"bobsburgers:desserts\"");
    assertThat(PAYMENTS.parse("b.p.1")).hasToString("bobsburgers:payments:PM000001");
  }

  @Test
  @Tag("slow")
  void compilerTellsTheIdsOfCollectionsApart(@TempDir Path classes) {
    assertThat(complaints(classes, "TypedId<Meat> id = payments.parse(text);"))
        .singleElement()
        .asString()
        .contains(
            "compiler.err.prob.found.req", "TypedId<Kitchen.Payment>", "TypedId<Kitchen.Meat>");
    assertThat(complaints(classes, "cook(payments.parse(text));"))
        .singleElement()
        .asString()
        .contains(
            "compiler.err.prob.found.req", "TypedId<Kitchen.Payment>", "TypedId<Kitchen.Meat>");
    assertThat(complaints(classes, "cook(meats.parse(text));")).isEmpty();
  }

  /** What the compiler has to say to a line about meats and payments. */
  private static List<String> complaints(Path classes, String line) {
    String source =
        """
        import dev.mintmark.*;

        class Kitchen {
          interface Meat {}

          interface Payment {}

          void run(TypedCollection<Meat> meats, TypedCollection<Payment> payments, String text) {
            %s
          }

          void cook(TypedId<Meat> id) {}
        }
        """
            .formatted(line);
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("mem:///Kitchen.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    String classPath = System.getProperty("surefire.test.class.path");
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            classes.toString(),
            "-cp",
            classPath == null ? System.getProperty("java.class.path") : classPath);
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(null, null, diagnostics, options, null, List.of(file))
            .call();
    List<String> errors =
        diagnostics.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(diagnostic -> diagnostic.getCode() + " " + diagnostic.getMessage(Locale.ROOT))
            .toList();
    assertThat(errors.isEmpty()).isEqualTo(compiled);
    return errors;
  }
}
