package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.database.OwnDatabases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands for pools that are claimed from in SQL: refill, adopt and verify. */
@Tag("slow")
class PoolInSqlCommandsTest {
  private static Outcome run(String database, String... arguments) {
    String[] command =
        Stream.concat(
                Stream.concat(Stream.of("pool"), Stream.of(arguments)),
                Stream.of("--database-url", database))
            .toArray(String[]::new);
    return Outcome.of(command);
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aTableIsAdoptedAndThePoolIsFilledAndVerified() throws SQLException {
    String database = OwnDatabases.create();
    assertThat(run(database, "create", "p", "--block", "10.0.0.0/16").status).isZero();
    execute(
        database,
        "create table ip_address (ip inet, client_id bigint);"
            + " insert into ip_address values ('10.0.0.1', 7), ('10.0.0.2', null), ('10.9.0.1', 8)");
    String[] adopt = {
      "adopt", "p", "--table", "ip_address", "--value", "ip", "--client", "client_id"
    };

    Outcome refused = run(database, adopt);
    assertThat(refused.status).isEqualTo(1);
    assertThat(refused.err)
        .contains("value \"10.9.0.1\": no block of the pool has it", "nothing was adopted");
    execute(database, "delete from ip_address where client_id = 8");
    Outcome dry =
        run(
            database,
            Stream.concat(Stream.of(adopt), Stream.of("--dry-run")).toArray(String[]::new));
    assertThat(dry.status).isZero();
    assertThat(dry.out).contains("1 rows would be imported");
    Outcome adopted =
        run(database, Stream.concat(Stream.of(adopt), Stream.of("--json")).toArray(String[]::new));
    assertThat(adopted.status).isZero();
    assertThat(adopted.out)
        .contains("\"adopted\" : true", "\"imported\" : 1", "public.ip_address_adopted");
    assertThat(run(database, "list", "p").out).contains("10.0.0.1");
    assertThat(run(database, adopt).status).isEqualTo(2);

    Outcome refilled = run(database, "refill", "p", "--values", "5000", "--json");
    assertThat(refilled.status).isZero();
    assertThat(refilled.out).contains("\"name\" : \"p\"");
    assertThat(run(database, "refill", "p", "--values", "0").status).isEqualTo(2);
    assertThat(run(database, "refill", "nope").status).isEqualTo(1);

    assertThat(run(database, "verify", "--through", "python").status).isEqualTo(2);
    Outcome verified =
        run(database, "verify", "--through", "sql", "--seconds", "1", "--only", "same-client");
    assertThat(verified.status).as(verified.err).isZero();
    assertThat(verified.out).contains("passed", "no value was held twice");
  }
}
