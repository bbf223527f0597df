package dev.mintmark.verify;

import static dev.mintmark.verify.UserProgram.path;
import static dev.mintmark.verify.UserProgram.placeOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.mintmark.Ulid;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Core needs the JDK alone, on the class path and on the module path: neither the compiler of its
 * users nor their JVM misses the annotations that it was compiled with.
 */
@Tag("slow")
class JdkAloneTest {
  private static final String PROGRAM =
      """
      package user;

      import dev.mintmark.*;
      import java.io.*;
      import java.util.List;
      import java.util.Optional;

      public final class Program {
        private Program() {}

        record Row(Ulid id, Optional<Puri> puri) {}

        public static void main(String[] arguments) throws Exception {
          CollectionSpec meats = CollectionSpec.builder("meats", Kind.ULID).build();
          Puris puris = Puris.of(new Catalog("bobsburgers", List.of(meats), List.of()));
          Ulid id = Ulid.valueOf("01FZG96YPZK4SANAG1ZM5T2K9Z");
          TypedId<Row> typed =
              puris.typed("meats", Row.class).from(Puri.of("bobsburgers", "meats", id.toString()));
          List<Object> values =
              List.of(
                  id,
                  Snowflake.valueOf("175928847299117063"),
                  Tsid.valueOf("FZZZZZZZZZZZZ"),
                  Ksuid.valueOf("0ujtsYcgvSTl8PAuAdqWYSMnLOv"),
                  ObjectId.valueOf("507f1f77bcf86cd799439011"),
                  Xid.valueOf("9m4e2mr0ui3e8a215n4g"),
                  TypeId.valueOf("user_01h455vb4pex5vsknk084sn02q"),
                  NanoId.valueOf("V1StGXR8_Z5jdHi6B-myT"),
                  Puri.valueOf("a:b:c"),
                  new SequenceId.Format("PM", 6).of(123));
          System.out.println(new Row(id, Optional.of(typed.puri())));
          System.out.println(copy(values).equals(values));
          System.out.println(Ulid.class.getMethod("toString").getAnnotations().length);
          System.out.println(Ulid.class.getModule().isNamed());
        }

        private static Object copy(Object value) throws Exception {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
          }
          try (ObjectInputStream in =
              new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
          }
        }
      }
      """;

  private static final String PRINTED =
      """
      Row[id=01FZG96YPZK4SANAG1ZM5T2K9Z, \
      puri=Optional[bobsburgers:meats:01FZG96YPZK4SANAG1ZM5T2K9Z]]
      true
      0
      %s
      """;

  private static final String TYPES =
      """
      package user;

      import dev.mintmark.*;
      import java.util.List;

      public final class Types implements IdTypes {
        record PaymentId(long value) {}

        public Types() {}

        @Override
        public List<IdType<?>> idTypes() {
          return List.of(
              IdType.snowflakes()
                  .map(
                      PaymentId.class,
                      id -> new PaymentId(id.toLong()),
                      id -> Snowflake.of(id.value())));
        }

        public static void main(String[] arguments) {
          System.out.println(IdTypes.find(PaymentId.class).orElseThrow().parse("123"));
        }
      }
      """;

  private static final String JACKSON_PROGRAM =
      """
      package user;

      import dev.mintmark.Ulid;
      import java.util.Map;
      import tools.jackson.databind.json.JsonMapper;

      public final class Program {
        private Program() {}

        public static void main(String[] arguments) {
          JsonMapper mapper = JsonMapper.builder().build();
          String json = mapper.writeValueAsString(Map.of("id", Ulid.min(java.time.Instant.EPOCH)));
          System.out.println(json);
          System.out.println(mapper.readTree(json).path("id").stringValue());
          System.out.println(mapper.readValue("\\"00000000000000000000000000\\"", Ulid.class));
        }
      }
      """;

  private static final Path CORE = placeOf(Ulid.class);

  @TempDir private Path directory;

  @Test
  void programOnTheClassPathNeedsNothingElse() throws Exception {
    UserProgram program =
        new UserProgram(directory).source("Program", PROGRAM).compile("-classpath", path(CORE));

    assertThat(program.run("-classpath", path(CORE, program.classes()), "user.Program"))
        .isEqualTo(PRINTED, "false");
  }

  @Test
  void programOnTheModulePathNeedsNothingElse() throws Exception {
    UserProgram program =
        new UserProgram(directory)
            .source("module-info", "module user { requires dev.mintmark; }")
            .source("Program", PROGRAM)
            .compile("--module-path", path(CORE));

    String modules = path(CORE, program.classes());
    assertThat(program.run("--module-path", modules, "--module", "user/user.Program"))
        .isEqualTo(PRINTED, "true");
  }

  @Test
  void programOnTheModulePathDeclaresTypesOfItsClasses() throws Exception {
    UserProgram program =
        new UserProgram(directory)
            .source(
                "module-info",
                "module user { requires dev.mintmark; provides dev.mintmark.IdTypes with user.Types; }")
            .source("Types", TYPES)
            .compile("--module-path", path(CORE));

    String modules = path(CORE, program.classes());
    assertThat(program.run("--module-path", modules, "--module", "user/user.Types"))
        .isEqualToIgnoringNewLines("PaymentId[value=123]");
  }

  @Test
  void jacksonReadsTheAnnotationsOnTheModulePath() throws Exception {
    String libraries =
        path(CORE, placeOf(JsonValue.class), placeOf(JsonParser.class), placeOf(JsonMapper.class));
    UserProgram program =
        new UserProgram(directory)
            .source(
                "module-info",
                "module user { requires dev.mintmark; requires tools.jackson.databind; }")
            .source("Program", JACKSON_PROGRAM)
            .compile("--module-path", libraries);

    String modules = libraries + File.pathSeparator + program.classes();
    assertThat(program.run("--module-path", modules, "--module", "user/user.Program"))
        .isEqualTo(
            """
            {"id":"00000000000000000000000000"}
            00000000000000000000000000
            00000000000000000000000000
            """);
  }
}
