package dev.mintmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds names that refer to a system, a product or a stage. Data outlives code: after {@code
 * mybillingsystem} is replaced, {@code mybillingsystem-bills} is wrong forever, and {@code bills}
 * is not.
 *
 * <p>A name is split at its hyphens. Words of a domain are accepted: a plural is the content of a
 * collection ({@code services} of a repair shop, {@code apps} of an app shop), a few words are
 * technical only at the end ({@code bills-table}, but not {@code table-bookings}), and some only
 * have the ending of one ({@code observer}).
 */
final class NameLint {
  private static final Set<String> SYSTEMS =
      words(
          "system subsystem service microservice svc app backend frontend server monolith db etl");

  private static final Set<String> SYSTEMS_WHEN_LAST = words("api database table tbl schema");

  private static final Set<String> PRODUCTS =
      words(
          "mysql mariadb postgres postgresql oracle mssql sqlite mongo mongodb redis kafka rabbitmq"
              + " cassandra dynamodb elasticsearch salesforce sap hubspot zendesk jira netsuite");

  private static final Set<String> STAGES = words("legacy tmp temp deprecated");
  private static final Set<String> STAGES_WHEN_LAST = words("old new");
  private static final Pattern VERSION = Pattern.compile("v[0-9]{1,3}");

  /** Endings of compound words: {@code mybillingsystem}, {@code userdb}. */
  private static final Pattern GLUED =
      Pattern.compile("[a-z0-9]{2,}(system|service|server|backend|database|db)");

  private static final Set<String> ONLY_END_LIKE_ONE = words("ecosystem observer disservice");

  private NameLint() {}

  static List<CatalogFinding> of(NamespaceSpec namespace) {
    List<CatalogFinding> findings = new ArrayList<>();
    finding("namespace", namespace.name(), Set.of()).ifPresent(findings::add);
    for (CollectionSpec collection : namespace.collections()) {
      finding("collection", collection.name(), ofTheDomain(collection)).ifPresent(findings::add);
    }
    return findings;
  }

  /** A table may be called after a thing of the domain that is a system: {@code service_zone}. */
  private static Set<String> ofTheDomain(CollectionSpec collection) {
    return collection
        .table()
        .map(table -> AsciiCase.lower(table.substring(table.lastIndexOf('.') + 1)))
        .filter(table -> table.replace('_', '-').equals(collection.name()))
        .map(table -> SYSTEMS)
        .orElse(Set.of());
  }

  private static Optional<CatalogFinding> finding(
      String what, String name, Set<String> ofTheDomain) {
    List<String> words = List.of(name.split("-", -1));
    for (int i = 0; i < words.size(); i++) {
      Optional<String> fault = fault(words.get(i), i > 0 && i == words.size() - 1);
      if (fault.isPresent() && !ofTheDomain.contains(words.get(i))) {
        String why = Quoted.of(words.get(i)) + " names " + fault.get();
        return Optional.of(new CatalogFinding(what, name, why, advice(what, words)));
      }
    }
    return Optional.empty();
  }

  /** Returns what a word names if it does not belong to the domain. */
  private static Optional<String> fault(String word, boolean last) {
    boolean glued = GLUED.matcher(word).matches() && !ONLY_END_LIKE_ONE.contains(word);
    if (PRODUCTS.contains(word)) {
      return Optional.of("a product, which may be replaced");
    }
    if (SYSTEMS.contains(word) || glued || (last && SYSTEMS_WHEN_LAST.contains(word))) {
      return Optional.of("a part of a system, which data outlives");
    }
    boolean stage = STAGES.contains(word) || VERSION.matcher(word).matches();
    if (stage || (last && STAGES_WHEN_LAST.contains(word))) {
      return Optional.of("a stage, which passes");
    }
    return Optional.empty();
  }

  private static String advice(String what, List<String> words) {
    String last = words.get(words.size() - 1);
    String rest =
        words.stream()
            .filter(word -> fault(word, word.equals(last)).isEmpty())
            .collect(Collectors.joining("-"));
    return "name it after the domain"
        + (rest.isEmpty() ? "" : ", such as " + Quoted.of(rest))
        + (what.equals("collection") ? ", and keep this name as an alias" : "");
  }

  private static Set<String> words(String list) {
    return Set.of(list.split(" ", -1));
  }
}
