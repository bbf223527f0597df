package dev.mintmark.app.service.choice;

import java.util.Locale;

/** An answer to a {@link Question}. The first constant of each type is the default. */
public sealed interface Answer {
  /** Returns the name of the constant. */
  String name();

  /** Returns the answer in words, as a form shows it. */
  String text();

  /** Returns its name in commands and requests: {@code 8-bytes}. */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The order that rows have by their identifiers. */
  enum Ordered implements Answer {
    NONE("no order is needed"),
    TIME("by time of creation, to the millisecond"),
    STRICT("each id is greater than the one before");

    private final String text;

    Ordered(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** What an identifier must not reveal to those who see it. */
  enum Secret implements Answer {
    NOTHING("nothing"),
    COUNT("how many rows there are, and the next id"),
    TIME("when a row was created, and how many rows there are"),
    ACCESS("the id itself, because it grants access");

    private final String text;

    Secret(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** The room that there is for an identifier. */
  enum Size implements Answer {
    ANY("16 bytes are fine"),
    BYTES_8("8 bytes: joins are frequent, or a program has only 64 bits"),
    RANGE("values of a range, fewer than clients: addresses, ports, codes");

    private final String text;

    Size(String text) {
      this.text = text;
    }

    @Override
    public String label() {
      return this == BYTES_8 ? "8-bytes" : Answer.super.label();
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** The readers of identifiers. */
  enum Reader implements Answer {
    PROGRAMS("programs only"),
    DEVELOPERS("clients, who should see what an id refers to"),
    PEOPLE("people, who read, dictate or search for ids"),
    TYPISTS("people, who type ids in: an invoice, a contract");

    private final String text;

    Reader(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** What mints the identifiers. */
  enum Minter implements Answer {
    DATABASE("one database, when a row is inserted"),
    SERVERS("several servers or databases, before a row is inserted"),
    OFFLINE("devices or jobs that cannot reach a server");

    private final String text;

    Minter(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** The column that exists, if the table is not new. */
  enum Column implements Answer {
    NEW("none: the table is new"),
    UUID("a uuid"),
    BIGINT("a bigint"),
    INTEGER("an integer of 4 bytes"),
    TEXT("text: varchar or char");

    private final String text;

    Column(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }
}
