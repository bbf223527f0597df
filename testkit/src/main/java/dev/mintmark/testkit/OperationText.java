package dev.mintmark.testkit;

import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Operations as lines of text, two for each.
 *
 * <pre>
 *   sent      ID  NANOS  INSTANCE  claim    CLIENT  SLOT  COUNT  OWNER  VALUE  LEASE-MILLIS
 *                                  renew    VALUE  CLIENT  SLOT  TOKEN  LEASE-MILLIS
 *                                  release  VALUE  CLIENT  SLOT  TOKEN
 *                                  count, list
 *   answered  ID  NANOS  granted   VALUE  CLIENT  SLOT  TOKEN  ...     (held, listed alike)
 *                        counted   CAPACITY  FREE  NEVER-ISSUED  HELD  QUARANTINED  DRAINING  TWOFOLD
 *                        exhausted, quota-reached, value-taken, renewed, released, refused
 * </pre>
 *
 * Fields are separated by a tab, which neither a client nor a value can have in it; an empty field
 * is one that is not there.
 */
final class OperationText {
  private static final String SENT = "sent";
  private static final String ANSWERED = "answered";

  private static final Map<String, Call> CALLS_WITHOUT_FIELDS =
      Map.of("count", new Call.Count(), "list", new Call.ListHeld());

  private static final Map<String, Answer> ANSWERS_WITHOUT_FIELDS =
      Map.of(
          "exhausted", new Answer.Exhausted(),
          "quota-reached", new Answer.QuotaReached(),
          "value-taken", new Answer.ValueTaken(),
          "renewed", new Answer.Renewed(),
          "released", new Answer.Released(),
          "refused", new Answer.Refused());

  private OperationText() {}

  /**
   * One line, read.
   *
   * @param operation without an answer, or with nothing but the answer and its time
   */
  record Line(long id, Operation operation) {}

  static String sent(long id, Operation operation) {
    List<Object> fields =
        new ArrayList<>(List.of(SENT, id, operation.invokedNanos(), operation.instance()));
    Call call = operation.call();
    if (call instanceof Call.Claim claim) {
      fields.addAll(List.of("claim", claim.client(), claim.slot(), claim.count()));
      fields.add(claim.owner().orElse(""));
      fields.add(claim.value().orElse(""));
      fields.add(claim.lease().map(lease -> Long.toString(lease.toMillis())).orElse(""));
    } else if (call instanceof Call.Renew renew) {
      fields.add("renew");
      addHeld(fields, renew.held());
      fields.add(renew.lease().toMillis());
    } else if (call instanceof Call.Release release) {
      fields.add("release");
      addHeld(fields, release.held());
    } else {
      fields.add(nameOf(call, CALLS_WITHOUT_FIELDS));
    }
    return join(fields);
  }

  static String answered(long id, Operation operation) {
    List<Object> fields = new ArrayList<>(List.of(ANSWERED, id, operation.answeredNanos()));
    Answer answer = operation.answer();
    if (answer instanceof Answer.Granted granted) {
      fields.add("granted");
      granted.held().forEach(held -> addHeld(fields, held));
    } else if (answer instanceof Answer.AlreadyHeld already) {
      fields.add("held");
      already.held().forEach(held -> addHeld(fields, held));
    } else if (answer instanceof Answer.Listed listed) {
      fields.add("listed");
      listed.held().forEach(held -> addHeld(fields, held));
    } else if (answer instanceof Answer.Counted counted) {
      PoolCounts counts = counted.counts();
      fields.add("counted");
      fields.addAll(List.of(counts.capacity(), counts.free(), counts.neverIssued()));
      fields.addAll(List.of(counts.held(), counts.quarantined(), counts.draining()));
      fields.add(counts.twofold());
    } else {
      fields.add(nameOf(answer, ANSWERS_WITHOUT_FIELDS));
    }
    return join(fields);
  }

  static Line parse(String line) {
    Fields fields = new Fields(Arrays.asList(line.split("\t", -1)).iterator());
    boolean sent = fields.text().equals(SENT);
    long id = fields.number();
    long nanos = fields.number();
    return new Line(
        id,
        sent
            ? Operation.sent(fields.text(), parseCall(fields), nanos)
            : Operation.sent("", new Call.Count(), nanos).answered(nanos, parseAnswer(fields)));
  }

  private static Call parseCall(Fields fields) {
    String name = fields.text();
    return switch (name) {
      case "claim" ->
          new Call.Claim(
              fields.text(),
              (int) fields.number(),
              (int) fields.number(),
              fields.textIfAny(),
              fields.textIfAny(),
              fields.textIfAny().map(Long::parseLong).map(Duration::ofMillis));
      case "renew" -> new Call.Renew(fields.held(), Duration.ofMillis(fields.number()));
      case "release" -> new Call.Release(fields.held());
      default -> called(name, CALLS_WITHOUT_FIELDS);
    };
  }

  private static Answer parseAnswer(Fields fields) {
    String name = fields.text();
    return switch (name) {
      case "granted" -> new Answer.Granted(fields.allHeld());
      case "held" -> new Answer.AlreadyHeld(fields.allHeld());
      case "listed" -> new Answer.Listed(fields.allHeld());
      case "counted" ->
          new Answer.Counted(
              new PoolCounts(
                  fields.number(),
                  fields.number(),
                  fields.number(),
                  fields.number(),
                  fields.number(),
                  fields.number(),
                  fields.number()));
      default -> called(name, ANSWERS_WITHOUT_FIELDS);
    };
  }

  private static void addHeld(List<Object> fields, Held held) {
    fields.addAll(List.of(held.value(), held.client(), held.slot(), held.token()));
  }

  private static String join(List<Object> fields) {
    return String.join("\t", fields.stream().map(Object::toString).toList());
  }

  private static <T> String nameOf(T what, Map<String, T> names) {
    return names.entrySet().stream()
        .filter(entry -> entry.getValue().equals(what))
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static <T> T called(String name, Map<String, T> names) {
    return Optional.ofNullable(names.get(name))
        .orElseThrow(() -> new IllegalArgumentException("no operation is called " + name));
  }

  /** The fields of a line, in their order. */
  private record Fields(Iterator<String> rest) {
    String text() {
      return rest.next();
    }

    Optional<String> textIfAny() {
      return Optional.of(rest.next()).filter(text -> !text.isEmpty());
    }

    long number() {
      return Long.parseLong(rest.next());
    }

    Held held() {
      return new Held(text(), text(), (int) number(), number());
    }

    List<Held> allHeld() {
      List<Held> all = new ArrayList<>();
      while (rest.hasNext()) {
        all.add(held());
      }
      return all;
    }
  }
}
