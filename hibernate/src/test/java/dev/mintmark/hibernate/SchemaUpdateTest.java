package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hibernate's {@code update} of a schema that it made itself. */
@Tag("database")
class SchemaUpdateTest {
  private static final Class<?>[] ENTITIES = {
    Shop.Track.class,
    Shop.Play.class,
    Shop.Incident.class,
    Shop.Payment.class,
    Shop.Device.class,
    Shop.Invoice.class,
    Shop.Sample.class,
    Shop.Plain.class
  };

  private static final TestDatabase DATABASE = Shop.createDatabase();

  /** Returns the commands that changed the schema since the last call. */
  private static List<List<String>> changes() {
    return DATABASE.rows("delete from changes returning command");
  }

  @Test
  void secondUpdateChangesNothing() {
    DATABASE.execute(
        """
        create table changes (command text);
        create function note_change() returns event_trigger language plpgsql as $$
        begin
          insert into changes
          select command_tag || ' ' || coalesce(object_identity, '') from pg_event_trigger_ddl_commands();
        end $$;
        create event trigger note_changes on ddl_command_end execute function note_change();
        """);

    Shop.start(DATABASE, new RecordedStatements(), ENTITIES).close();
    assertThat(changes())
        .contains(
            List.of("CREATE TABLE public.sample"), List.of("CREATE SEQUENCE public.payment_seq"));

    Shop.start(DATABASE, new RecordedStatements(), ENTITIES).close();
    assertThat(changes()).isEmpty();
  }
}
