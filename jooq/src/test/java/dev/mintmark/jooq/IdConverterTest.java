package dev.mintmark.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.mintmark.IdType;
import dev.mintmark.MalformedIdException;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.jooq.ShopTypes.PaymentId;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class IdConverterTest {
  private static final DataType<Ulid> ULID =
      SQLDataType.UUID.asConvertedDataType(IdConverter.ofUuid(IdType.ulids()));
  private static final DataType<PaymentId> PAYMENT =
      SQLDataType.BIGINT.asConvertedDataType(IdConverter.ofBigint(PaymentId.class));
  private static final DataType<TypeId> USER =
      SQLDataType.CLOB.asConvertedDataType(IdConverter.ofText(IdType.typeIds("user").asText()));

  private static final Table<Record> TRACKS = table(name("tracks"));
  private static final Field<Ulid> ID = field(name("id"), ULID);
  private static final Field<PaymentId> PAID = field(name("payment"), PAYMENT);
  private static final Field<TypeId> OWNER = field(name("owner"), USER);
  private static final Field<Ulid[]> RELATED =
      field(
          name("related"),
          SQLDataType.UUID
              .array()
              .asConvertedDataType(IdConverter.ofUuid(IdType.ulids()).forArrays()));

  private static final TypeId USER_ID = TypeId.parse("user_01h455vb4pex5vsknk084sn02q");

  private static void create(TestDatabase database) {
    database.execute(
        "create table tracks (id uuid primary key, payment bigint, owner text, related uuid[])");
  }

  @OnServers
  void idsAreStoredFoundAndReturned(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    create(database);
    List<Ulid> ids = Stream.generate(Ulid::mint).limit(5).sorted().toList();
    try (Connection connection = database.dataSource().getConnection()) {
      DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES);
      for (Ulid id : ids) {
        Ulid[] related = {id, Ulid.of(-1, -1)};
        Record returned =
            jooq.insertInto(TRACKS, ID, PAID, OWNER, RELATED)
                .values(id, new PaymentId(123), USER_ID, related)
                .returningResult(ID, PAID, OWNER, RELATED)
                .fetchSingle();

        assertThat(returned.get(ID)).isEqualTo(id);
        assertThat(returned.get(PAID)).isEqualTo(new PaymentId(123));
        assertThat(returned.get(OWNER)).isEqualTo(USER_ID);
        assertThat(returned.get(RELATED)).containsExactly(related);
      }
      assertThat(jooq.fetch("select distinct payment::text, owner from tracks").formatCSV(false))
          .isEqualToIgnoringNewLines("123," + USER_ID);

      Ulid[] two = {ids.get(1), ids.get(3)};
      assertThat(jooq.select(ID).from(TRACKS).where(ID.in(two)).fetchSet(ID))
          .containsExactlyInAnyOrder(two);
      assertThat(
              jooq.select(ID)
                  .from(TRACKS)
                  .where(ID.eq(any(val(two, ID.getDataType().array()))))
                  .fetchSet(ID))
          .containsExactlyInAnyOrder(two);
      assertThat(
              jooq.select(ID).from(TRACKS).where(RELATED.contains(new Ulid[] {two[0]})).fetch(ID))
          .containsExactly(two[0]);
      assertThat(jooq.select(ID).from(TRACKS).orderBy(ID).seek(ids.get(1)).limit(2).fetch(ID))
          .isEqualTo(ids.subList(2, 4));
    }
  }

  @Test
  void nullIsStoredAndRead() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    create(database);
    try (Connection connection = database.dataSource().getConnection()) {
      DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES);
      jooq.insertInto(TRACKS, ID, PAID, OWNER, RELATED)
          .values(Ulid.mint(), null, null, null)
          .execute();

      Record row = jooq.select(PAID, OWNER, RELATED).from(TRACKS).fetchSingle();
      assertThat(row.intoArray()).containsOnlyNulls();
    }
  }

  @Test
  void valuesOfAnotherTypeAreRefused() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    create(database);
    try (Connection connection = database.dataSource().getConnection()) {
      DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES);
      assertThatThrownBy(
              () ->
                  jooq.insertInto(TRACKS, ID, OWNER)
                      .values(Ulid.mint(), TypeId.of("track", USER_ID.uuid()))
                      .execute())
          .hasStackTraceContaining(MalformedIdException.class.getName());
      database.execute("insert into tracks (id, owner) values (gen_random_uuid(), 'nobody')");
      assertThatThrownBy(() -> jooq.select(OWNER).from(TRACKS).fetch())
          .isInstanceOf(DataAccessException.class)
          .hasStackTraceContaining("malformed TypeID \"nobody\"");
    }
  }

  @Test
  void storageAndClassAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdConverter.ofText(IdType.ulids()))
        .withMessage("type ULID in uuid: expected one in text");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdConverter.ofBigint(SequenceId.class, IdType.snowflakes()))
        .withMessage(
            "type Snowflake in bigint has the class dev.mintmark.Snowflake: expected"
                + " dev.mintmark.SequenceId");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdConverter.ofUuid(TypeId.class))
        .withMessage(
            "no type of identifiers is declared for dev.mintmark.TypeId: declare one with IdTypes");
    assertThat(IdConverter.ofBigint(Snowflake.class)).hasToString("Snowflake in bigint");
  }

  @Test
  void converterIsNotSerialized() throws Exception {
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      assertThatThrownBy(() -> out.writeObject(IdConverter.ofUuid(IdType.ulids())))
          .isInstanceOf(NotSerializableException.class);
    }
  }
}
