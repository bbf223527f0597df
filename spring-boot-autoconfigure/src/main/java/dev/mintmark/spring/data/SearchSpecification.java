package dev.mintmark.spring.data;

import dev.mintmark.postgres.search.Search;
import dev.mintmark.postgres.search.SearchCondition;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.Expression;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.query.criteria.HibernateCriteriaBuilder;
import org.springframework.data.jpa.domain.Specification;

/**
 * A {@link Search} as a {@link Specification} of Spring Data JPA, with Hibernate: what people type
 * into a search box, together with other specifications, sorting and paging. An identifier is found
 * by each of its texts, and in a column declared with {@code ^} by its beginning, which becomes a
 * range that an index serves.
 *
 * <p>The condition is {@code id in (select id from payments where ...)}, whose values are all
 * bound. The {@linkplain Search#withTimeout timeout} of the search does not apply, and short terms
 * are not refused in large tables: set the hint {@code jakarta.persistence.query.timeout}, and
 * declare columns of words with {@code ^} or {@code =}.
 *
 * <p>Immutable, and so safe in any number of threads. Make one for each search box and keep it.
 *
 * <pre>{@code
 * SearchSpecification<Payment> box =
 *     SearchSpecification.of(
 *         Search.of(
 *             SearchTable.of("payments")
 *                 .key("id")
 *                 .column("^id", SearchIds.of(catalog.idType(PaymentId.class)))
 *                 .columns("^payee")),
 *         "id", "id");
 *
 * payments.findAll(box.matching("PM0001").and(ofTenant(tenant)), PageRequest.of(0, 20));
 * }</pre>
 *
 * @param <T> the entity
 */
public final class SearchSpecification<T> {
  private final Search search;
  private final String column;
  private final String attribute;

  private SearchSpecification(Search search, String column, String attribute) {
    this.search = search;
    this.column = column;
    this.attribute = attribute;
  }

  /**
   * Returns the specifications of a search.
   *
   * @param search searches the table of the entity
   * @param column the primary key of the table
   * @param attribute the attribute of the entity with this column
   * @param <T> the entity
   */
  public static <T> SearchSpecification<T> of(Search search, String column, String attribute) {
    return new SearchSpecification<>(search, column, attribute);
  }

  /**
   * Returns the specification of the rows that the search finds with a text. A text without terms,
   * or with a term that no column can hold, finds nothing.
   *
   * @throws dev.mintmark.postgres.search.MalformedSearchException if the text is too long, or has
   *     too many terms or characters that PostgreSQL cannot store
   */
  public Specification<T> matching(String text) {
    SearchCondition found = search.query(text, column);
    return (root, query, builder) -> predicate(found, root, builder);
  }

  private Predicate predicate(SearchCondition found, Root<T> root, CriteriaBuilder builder) {
    if (!(builder instanceof HibernateCriteriaBuilder hibernate)) {
      throw new IllegalStateException(
          "%s: a search requires the criteria of Hibernate".formatted(builder.getClass()));
    }
    List<Expression<?>> values = new ArrayList<>();
    values.add(root.get(attribute));
    found.binds().forEach(value -> values.add(hibernate.value(value)));
    return hibernate.isTrue(
        hibernate.sql(
            "(? in (" + found.sql() + "))", Boolean.class, values.toArray(Expression<?>[]::new)));
  }
}
