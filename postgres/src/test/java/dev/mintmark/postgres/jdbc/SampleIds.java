package dev.mintmark.postgres.jdbc;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Ksuid;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.TypedCollection;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Identifiers of one type, the least and the greatest among them, and the column that keeps them.
 *
 * @param ids all different
 */
record SampleIds<T>(IdColumn<T> column, List<T> ids) {
  static final Puris PURIS =
      Puris.of(
          new Catalog(
              "bobsburgers",
              List.of(
                  CollectionSpec.builder("meats", Kind.UUIDV7).build(),
                  CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).build(),
                  CollectionSpec.builder("bills", Kind.SEQUENCE)
                      .prefix("BL")
                      .width(6)
                      .storage(Kind.Storage.TEXT)
                      .build(),
                  CollectionSpec.builder("cuts", Kind.TEXT).aliases(List.of("old-cuts")).build()),
              List.of()));

  static final TypedCollection<Object> MEATS = PURIS.typed("meats", Object.class);
  static final TypedCollection<Object> PAYMENTS = PURIS.typed("payments", Object.class);
  static final TypedCollection<Object> BILLS = PURIS.typed("bills", Object.class);
  static final TypedCollection<Object> CUTS = PURIS.typed("cuts", Object.class);

  private static final SequenceId.Format PAYMENT_FORMAT = new SequenceId.Format("PM", 6);
  private static final int RANDOM_IDS = 20;

  /** Samples for every column that there is, each also as text. */
  static List<SampleIds<?>> ofEveryType(long seed) {
    Random random = new Random(seed);
    List<Ulid> ulids =
        with(
            random,
            r -> Ulid.of(r.nextLong(), r.nextLong()),
            List.of(Ulid.of(0, 0), Ulid.of(-1, -1)));
    List<Long> numbers = with(random, r -> r.nextLong() >>> 1, List.of(0L, Long.MAX_VALUE));
    List<Puri> cuts =
        Stream.of("a:%/\u0001\"'\\{},é", "\uD83E\uDD69", "null", "x".repeat(300))
            .map(cut -> Puri.of("bobsburgers", "cuts", cut))
            .toList();
    List<Puri> meats = all(ulids, id -> PURIS.parse("bobsburgers:meats:" + id));
    List<Puri> payments = all(numbers, number -> PURIS.parse("bobsburgers:payments:PM" + number));
    List<Puri> bills = all(numbers, number -> PURIS.parse("bobsburgers:bills:BL" + number));
    return Stream.of(
            of(IdColumn.ofUlids(), ulids),
            of(IdColumn.ofUuids(), all(ulids, Ulid::toUuid)),
            of(IdColumn.ofTypeIds("user"), all(ulids, id -> TypeId.of("user", id.toUuid()))),
            of(IdColumn.ofTypeIds(""), all(ulids, id -> TypeId.of("", id.toUuid()))),
            of(IdColumn.ofSequenceIds(PAYMENT_FORMAT), all(numbers, PAYMENT_FORMAT::of)),
            of(IdColumn.ofSnowflakes(), with(random, r -> Snowflake.of(r.nextLong()), List.of())),
            of(
                IdColumn.ofNanoIds(NanoId.Format.DEFAULT),
                with(random, NanoId.Format.DEFAULT::mint, List.of())),
            of(IdColumn.of(IdType.tsids()), with(random, r -> Tsid.of(r.nextLong()), List.of())),
            of(IdColumn.of(IdType.ksuids()), with(random, r -> Ksuid.mint(), List.of())),
            of(IdColumn.of(IdType.objectIds()), with(random, r -> ObjectId.mint(), List.of())),
            of(IdColumn.of(IdType.xids()), with(random, r -> Xid.mint(), List.of())),
            of(IdColumn.ofPuris(), List.of(Puri.parse("Acme:Widgets:AbC-1"), cuts.get(0))),
            of(IdColumn.ofPuris(PURIS), all(List.of(meats, payments, cuts), puris -> puris.get(0))),
            of(IdColumn.ofPuris(MEATS), meats),
            of(IdColumn.ofPuris(PAYMENTS), payments),
            of(IdColumn.ofPuris(BILLS), bills),
            of(IdColumn.ofPuris(CUTS), cuts),
            of(IdColumn.of(OwnTypes.INVOICES), all(numbers, OwnTypes.InvoiceId::new)),
            of(IdColumn.ofTypedIds(MEATS), all(meats, MEATS::from)),
            of(IdColumn.ofTypedIds(PAYMENTS), all(payments, PAYMENTS::from)))
        .<SampleIds<?>>flatMap(sample -> Stream.of(sample, sample.asText()))
        .toList();
  }

  private static <T> SampleIds<T> of(IdColumn<T> column, List<T> ids) {
    return new SampleIds<>(column, ids);
  }

  private SampleIds<T> asText() {
    return new SampleIds<>(column.asText(), ids);
  }

  /** Random identifiers, and some that are named. */
  private static <T> List<T> with(Random random, Function<Random, T> one, List<T> named) {
    return Stream.concat(named.stream(), Stream.generate(() -> one.apply(random)).limit(RANDOM_IDS))
        .toList();
  }

  private static <S, T> List<T> all(List<S> sources, Function<S, T> one) {
    return sources.stream().map(one).toList();
  }
}
