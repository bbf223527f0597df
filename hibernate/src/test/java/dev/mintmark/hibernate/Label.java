package dev.mintmark.hibernate;

import dev.mintmark.NanoId;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import jakarta.persistence.Column;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.Hibernate;
import org.jspecify.annotations.Nullable;

/** Entities of an application that use more of Hibernate: composite ids, inheritance, arrays. */
final class Label {
  static final Class<?>[] ENTITIES = {
    Artist.class,
    Biography.class,
    Contract.class,
    Tour.class,
    Share.class,
    Medium.class,
    Album.class,
    Single.class,
    Party.class,
    Person.class,
    Company.class,
    Invoice.class,
    Reminder.class,
    Chart.class
  };

  private Label() {}

  /** Equality of entities by their id, as docs/hibernate.md recommends. */
  @MappedSuperclass
  abstract static class Identified {
    @Id @Minted @Nullable Ulid id;

    public @Nullable Ulid getId() {
      return id;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
      return this == other
          || (other instanceof Identified entity
              && Hibernate.getClass(this) == Hibernate.getClass(entity)
              && getId() != null
              && Objects.equals(getId(), entity.getId()));
    }

    @Override
    public final int hashCode() {
      return Identified.class.hashCode();
    }
  }

  /** Has its id from a superclass, and a version. */
  @Entity(name = "Artist")
  static class Artist extends Identified {
    @Nullable String name;
    @Version @Nullable Integer version;
  }

  /** Has the id of its artist. */
  @Entity(name = "Biography")
  static class Biography {
    @Id @Nullable Ulid id;
    @MapsId @OneToOne @Nullable Artist artist;
    @Nullable String text;
  }

  /** A composite id of two types. */
  @Embeddable
  record ContractId(Ulid artist, PaymentId payment) {}

  /** Has an embedded id. */
  @Entity(name = "Contract")
  static class Contract {
    @EmbeddedId @Nullable ContractId id;
    @Nullable String text;
  }

  /** A composite id that is minted. */
  @Embeddable
  static class TourId {
    @Minted @Nullable Ulid tour;

    @Column(name = "season")
    @SequenceKey(sequence = "season_seq")
    @Prefixed(value = "SE", width = 4)
    @Nullable SequenceId number;

    @Minted
    @Prefixed("crew")
    @Nullable TypeId crew;

    @Minted(by = MintedBy.SERVER)
    @Nullable UUID contract;

    @Nullable PaymentId deposit;

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof TourId id
          && Objects.equals(tour, id.tour)
          && Objects.equals(number, id.number)
          && Objects.equals(crew, id.crew)
          && Objects.equals(contract, id.contract)
          && Objects.equals(deposit, id.deposit);
    }

    @Override
    public int hashCode() {
      return Objects.hash(tour, number, crew, contract, deposit);
    }
  }

  /** Has an embedded id with generators. */
  @Entity(name = "Tour")
  static class Tour {
    @EmbeddedId TourId id = new TourId();
    @Nullable String text;
  }

  /** The id of a share; Hibernate requires an id class with a constructor without parameters. */
  static final class ShareId {
    @Nullable PaymentId payment;
    @Nullable Ulid part;

    ShareId() {}

    ShareId(PaymentId payment, Ulid part) {
      this.payment = payment;
      this.part = part;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ShareId id
          && Objects.equals(payment, id.payment)
          && Objects.equals(part, id.part);
    }

    @Override
    public int hashCode() {
      return Objects.hash(payment, part);
    }
  }

  /** Has an id class, of which one attribute is minted. */
  @Entity(name = "Share")
  @IdClass(ShareId.class)
  static class Share {
    @Id @Nullable PaymentId payment;
    @Id @Minted @Nullable Ulid part;
    int percent;
  }

  /** One table for all, minted by the server. */
  @Entity(name = "Medium")
  @Inheritance(strategy = InheritanceType.SINGLE_TABLE)
  @DiscriminatorColumn(name = "form")
  abstract static class Medium {
    @Id
    @Minted(by = MintedBy.SERVER)
    @Nullable Ulid id;
  }

  /** Of one table. */
  @Entity(name = "Album")
  static class Album extends Medium {
    int songs;
  }

  /** Of the same table. */
  @Entity(name = "Single")
  static class Single extends Medium {
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable Medium appearsOn;
  }

  /** A table for each class, joined. */
  @Entity(name = "Party")
  @Inheritance(strategy = InheritanceType.JOINED)
  abstract static class Party {
    @Id
    @SequenceKey(sequence = "party_seq")
    @Prefixed(value = "CU", width = 6)
    @Nullable SequenceId id;
  }

  /** Of two tables. */
  @Entity(name = "Person")
  static class Person extends Party {
    @Nullable String name;
  }

  /** Of two other tables. */
  @Entity(name = "Company")
  static class Company extends Party {
    @Nullable String register;
  }

  /** A table for each class with all columns. */
  @Entity(name = "LabelInvoice")
  @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
  static class Invoice {
    @Id
    @SequenceKey(sequence = "label_invoice_seq", allocationSize = 10)
    @Nullable PaymentId id;
  }

  /** In a table of its own, numbered by the sequence of its superclass. */
  @Entity(name = "Reminder")
  static class Reminder extends Invoice {
    @Nullable String text;
  }

  /** Arrays and lists in one column. */
  @Entity(name = "Chart")
  static class Chart {
    @Id @Minted @Nullable Ulid id;
    Ulid @Nullable [] songs;
    PaymentId @Nullable [] payments;
    Snowflake @Nullable [] posts;
    NanoId @Nullable [] links;
    List<Ulid> artists = new ArrayList<>();
  }
}
