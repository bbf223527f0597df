package dev.mintmark.app.service.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Order;
import dev.mintmark.PoolSpec;
import dev.mintmark.Scheme;
import dev.mintmark.app.service.choice.Answer.Column;
import dev.mintmark.app.service.choice.Answer.Minter;
import dev.mintmark.app.service.choice.Answer.Ordered;
import dev.mintmark.app.service.choice.Answer.Reader;
import dev.mintmark.app.service.choice.Answer.Secret;
import dev.mintmark.app.service.choice.Answer.Size;
import dev.mintmark.catalog.CatalogReader;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DecisionTest {
  private static final Set<Choice> WITHOUT_COLLECTION = EnumSet.of(Choice.TOKEN, Choice.POOL);

  /** Kinds whose text has the time, as whoever sees the id can read it. */
  private static final Set<Kind> WITH_TIME =
      EnumSet.of(Kind.UUIDV7, Kind.ULID, Kind.TYPEID, Kind.SNOWFLAKE);

  @Test
  void theDefaultIsAUuidV7() {
    Recommendation recommendation = decide(Map.of());

    assertThat(recommendation.choice()).isEqualTo(Choice.UUIDV7);
    assertThat(recommendation.mint()).isEqualTo("mintmark.uuidv7()");
    assertThat(recommendation.catalog())
        .contains("collections:\n  orders: { kind: uuidv7, table: orders, mint: server }\n");
    assertThat(recommendation.sql()).contains("id uuid default mintmark.uuidv7() primary key");
    assertThat(recommendation.costs())
        .anyMatch(cost -> cost.contains("equal are: one chance in 1.2 million."));
    assertThat(recommendation.runnerUp())
        .hasValueSatisfying(next -> assertThat(next.choice()).isEqualTo(Choice.NUMBER));
    assertThat(recommendation.unmet()).isEmpty();
  }

  @Test
  void oneDatabaseWithFrequentJoinsTakesABigint() {
    Recommendation number = decide(Map.of(Question.SIZE, Size.BYTES_8));
    Recommendation masked =
        decide(Map.of(Question.SIZE, Size.BYTES_8, Question.SECRET, Secret.COUNT));

    assertThat(number.choice()).isEqualTo(Choice.NUMBER);
    assertThat(number.storage()).contains("bigint");
    assertThat(number.runnerUp().orElseThrow().choice()).isEqualTo(Choice.UUIDV7);
    assertThat(masked.face()).isEqualTo(Recommendation.Face.MASK);
  }

  @Test
  void theRateDecidesWhetherAnIntegerStays() {
    Map<Question, Answer> given = Map.of(Question.COLUMN, Column.INTEGER);
    Recommendation slow = Decision.of(Answers.of(new Load(1, 10), given));
    Recommendation fast = Decision.of(Answers.of(new Load(1_000, 10), given));

    assertThat(slow.storage()).contains("integer");
    assertThat(slow.scheme()).contains(Scheme.SEQUENCE_INTEGER);
    assertThat(fast.storage()).contains("bigint");
    assertThat(fast.reasons())
        .contains(
            "Migrate the column to bigint: at 1,000 a second an integer is used up after 25 days.");
  }

  @Test
  void everyCombinationHasOneRecommendationThatSaysWhy() {
    EveryAnswer.combination()
        .forEach(
            answers -> {
              Recommendation recommendation = Decision.of(answers);
              assertThat(recommendation.reasons()).as(answers.toString()).isNotEmpty();
              assertThat(recommendation.costs()).as(answers.toString()).isNotEmpty();
              assertThat(recommendation.sql()).as(answers.toString()).endsWith("\n");
              assertThat(recommendation.mint()).isNotBlank();
              assertThat(recommendation.kind().isEmpty())
                  .isEqualTo(WITHOUT_COLLECTION.contains(recommendation.choice()));
              assertThat(recommendation.runnerUp().map(Recommendation.RunnerUp::choice))
                  .as(answers.toString())
                  .isNotEqualTo(Optional.of(recommendation.choice()));
            });
  }

  @Test
  void aTimeThatIsSecretIsInNoIdThatIsShownPlain() {
    forEach(
        (answers, recommendation) -> {
          if (answers.secret() == Secret.TIME) {
            boolean showsTime =
                recommendation.kind().filter(WITH_TIME::contains).isPresent()
                    && !recommendation.face().isMask();
            assertThat(showsTime).as(answers.toString()).isFalse();
            assertThat(recommendation.runnerUp().map(Recommendation.RunnerUp::choice))
                .as(answers.toString())
                .isNotIn(
                    Optional.of(Choice.UUIDV7),
                    Optional.of(Choice.ULID),
                    Optional.of(Choice.TYPEID),
                    Optional.of(Choice.NUMBER));
          }
        });
  }

  @Test
  void aCountThatIsSecretIsInNoNumberThatIsShownPlain() {
    forEach(
        (answers, recommendation) -> {
          if (answers.secret() == Secret.COUNT || answers.secret() == Secret.TIME) {
            boolean isPlainNumber =
                recommendation.choice().isNumber() && !recommendation.face().isMask();
            assertThat(isPlainNumber).as(answers.toString()).isFalse();
          }
        });
  }

  @Test
  void idsThatMustSortAreNotRandom() {
    forEach(
        (answers, recommendation) -> {
          if (answers.order() != Ordered.NONE
              && !WITHOUT_COLLECTION.contains(recommendation.choice())) {
            assertThat(recommendation.scheme().orElseThrow().sorting())
                .as(answers.toString())
                .isNotEqualTo(Scheme.Sorting.NONE);
          }
        });
  }

  @Test
  void aStrictOrderIsKeptOrSaidToBeUnmet() {
    forEach(
        (answers, recommendation) -> {
          if (answers.order() == Ordered.STRICT && answers.secret() != Secret.ACCESS) {
            boolean ascends =
                answers.mintedBy() == Minter.DATABASE
                    && (recommendation.choice().isSequence()
                        || recommendation.mint().equals("mintmark.ulid_monotonic()"));
            boolean isUnmet =
                recommendation.unmet().stream().anyMatch(why -> why.startsWith("The order: "));
            assertThat(ascends).as(answers.toString()).isNotEqualTo(isUnmet);
          }
        });
  }

  @Test
  void whatIsMintedOfflineNeedsNoDatabase() {
    forEach(
        (answers, recommendation) -> {
          if (answers.isMintedOffline()) {
            boolean needsServer =
                recommendation.choice().isNumber()
                    || recommendation.catalog().orElse("").contains("mint: server");
            assertThat(needsServer).as(answers.toString()).isFalse();
            boolean isRunnerUpSequence =
                recommendation.runnerUp().filter(next -> next.choice().isNumber()).isPresent();
            assertThat(isRunnerUpSequence).as(answers.toString()).isFalse();
            if (recommendation.choice() == Choice.POOL) {
              assertThat(recommendation.unmet()).anyMatch(why -> why.startsWith("Offline: "));
            }
          }
        });
  }

  @Test
  void eightBytesAreKeptOrSaidToBeUnmet() {
    forEach(
        (answers, recommendation) -> {
          if (answers.size() == Size.BYTES_8 && answers.secret() != Secret.ACCESS) {
            boolean isUnmet =
                recommendation.unmet().stream().anyMatch(why -> why.startsWith("The size: "));
            assertThat(recommendation.choice().isNumber())
                .as(answers.toString())
                .isNotEqualTo(isUnmet);
          }
        });
  }

  @Test
  void aColumnOfUuidsOrNumbersKeepsItsType() {
    forEach(
        (answers, recommendation) -> {
          boolean isCollection = recommendation.kind().isPresent();
          if (isCollection && answers.column() == Column.UUID) {
            assertThat(recommendation.storage()).as(answers.toString()).contains("uuid");
          }
          if (isCollection && answers.column() == Column.BIGINT) {
            boolean isBeside = recommendation.catalog().orElseThrow().contains("column: public_id");
            assertThat(recommendation.choice().isNumber())
                .as(answers.toString())
                .isNotEqualTo(isBeside);
          }
        });
  }

  @Test
  void aCounterIsRecommendedOnlyWhileItLasts() {
    forEach(
        (answers, recommendation) -> {
          if (recommendation.choice().isSequence()) {
            assertThat(answers.load().fits(recommendation.scheme().orElseThrow()))
                .as(answers.toString())
                .isTrue();
          }
        });
  }

  @Test
  void whoTypesIdsGetsANumberIfADatabaseCounts() {
    Recommendation counted = decide(Map.of(Question.READ_BY, Reader.TYPISTS));
    Recommendation offline =
        decide(Map.of(Question.READ_BY, Reader.TYPISTS, Question.MINTED_BY, Minter.OFFLINE));

    assertThat(counted.choice()).isEqualTo(Choice.PREFIXED_NUMBER);
    assertThat(offline.choice()).isEqualTo(Choice.ULID);
    assertThat(offline.unmet()).singleElement().asString().startsWith("Typing: ");
  }

  /** The catalog of each combination is read, and declares what the recommendation says. */
  @Test
  void theCatalogDeclaresWhatIsRecommended() {
    Map<String, Recommendation> catalogs =
        EveryAnswer.combination()
            .map(Decision::of)
            .filter(recommendation -> recommendation.catalog().isPresent())
            .collect(
                Collectors.toMap(
                    recommendation -> recommendation.catalog().orElseThrow(),
                    recommendation -> recommendation,
                    (first, next) -> first));

    assertThat(catalogs).hasSizeGreaterThan(20);
    catalogs.forEach(
        (yaml, recommendation) -> {
          Catalog catalog = CatalogReader.read("mintmark.yaml", "namespace: acme\n" + yaml);
          if (recommendation.kind().isEmpty()) {
            assertThat(catalog.pools().stream().map(PoolSpec::name)).containsExactly("order-codes");
            return;
          }
          CollectionSpec orders = catalog.collection("orders").orElseThrow();
          assertThat(orders.kind()).as(yaml).isEqualTo(recommendation.kind().orElseThrow());
          assertThat(orders.face().isPresent()).as(yaml).isEqualTo(recommendation.face().isMask());
          assertThat(orders.narrow() ? "integer" : orders.storage().label())
              .as(yaml)
              .isEqualTo(recommendation.storage().orElseThrow());
          assertThat(orders.mint().order().filter(Order.ASCENDING::equals).isPresent())
              .as(yaml)
              .isEqualTo(yaml.contains("order: ascending"));
        });
  }

  @Test
  void everyChoiceIsOneForSomeAnswers() {
    Set<Choice> taken = new HashSet<>();
    forEach((answers, recommendation) -> taken.add(recommendation.choice()));

    assertThat(taken).isEqualTo(EnumSet.allOf(Choice.class));
  }

  private static Recommendation decide(Map<Question, Answer> given) {
    return Decision.of(Answers.of(Load.DEFAULT, given));
  }

  private static void forEach(BiConsumer<Answers, Recommendation> check) {
    EveryAnswer.combination().forEach(answers -> check.accept(answers, Decision.of(answers)));
  }
}
