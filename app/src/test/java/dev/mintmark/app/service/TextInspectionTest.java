package dev.mintmark.app.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.Pools;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the addresses of a text cost the database. */
@Tag("slow")
class TextInspectionTest {
  private static final Catalog CATALOG = new Catalog("test", List.of(), List.of());

  /** More steps with the database than a few queries take. */
  private static final int STEPS_MAX = 50;

  private HikariDataSource connections;
  private BreakableDataSource breakable;
  private Pools pools;

  @BeforeEach
  void open() {
    connections = TestDatabase.create().connectionPool(2);
    breakable = new BreakableDataSource(connections);
    pools = Pools.over(breakable.dataSource());
    pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"))));
    pools.create(PoolSpec.of("q", List.of(Block.parse("10.0.1.0/24"))));
    assertThat(pools.open("p").claim(ClaimRequest.of("a").withValue("10.0.0.9")).outcome())
        .isEqualTo("granted");
  }

  @AfterEach
  void close() {
    pools.close();
    connections.close();
  }

  @Test
  void anAddressThatNoPoolHasCostsNoQuery() {
    String text = addresses(5_000) + " 10.0.0.9 10.0.0.10";

    TextInspection.Result result = inspectWithin(STEPS_MAX, text);

    assertThat(result.ids())
        .extracting(id -> id.found().text())
        .containsExactly("10.0.0.9", "10.0.0.10");
    assertThat(result.ids().get(0).claims()).extracting(Claim::client).containsExactly("a");
    assertThat(result.ids().get(1).claims()).isEmpty();
  }

  @Test
  void theClaimOfAnAddressIsReadOnce() {
    TextInspection.Result result = inspectWithin(STEPS_MAX, "10.0.0.9 ".repeat(500));

    assertThat(result.ids())
        .hasSize(500)
        .allSatisfy(id -> assertThat(id.claims()).extracting(Claim::client).containsExactly("a"));
  }

  @Test
  void theFirstAddressesAreLookedUp() {
    String text =
        "10.0.0.9 %s 10.0.0.10 %s 10.0.0.11 10.0.0.9"
            .formatted(addresses(TextInspection.ADDRESSES_MAX - 2), "172.31.0.1");

    assertThat(inspectWithin(STEPS_MAX, text).ids())
        .extracting(id -> id.found().text())
        .containsExactly("10.0.0.9", "10.0.0.10", "10.0.0.9");
  }

  private TextInspection.Result inspectWithin(int steps, String text) {
    breakable.cutAfter(steps);
    TextInspection.Result result =
        TextInspection.inspect(text, CATALOG, pools, pool -> true, claim -> true);
    assertThat(breakable.hasCut()).as("more than %d steps", steps).isFalse();
    return result;
  }

  /** Different addresses that no pool has. */
  private static String addresses(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "172.16.%d.%d".formatted(i / 250, i % 250))
        .collect(Collectors.joining(" "));
  }
}
