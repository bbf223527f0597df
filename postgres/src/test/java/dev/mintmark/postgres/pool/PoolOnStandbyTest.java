package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.Standby;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that lead to a standby: of a primary that was demoted, or of a pooler. */
@Tag("slow")
class PoolOnStandbyTest {
  private static Standby servers;

  @BeforeAll
  static void start() throws IOException, SQLException {
    servers = Standby.start();
    Flyway.configure()
        .dataSource(servers.primary())
        .schemas("mintmark")
        .locations("classpath:" + Pools.MIGRATIONS)
        .load()
        .migrate();
    try (Pools pools = Pools.over(servers.primary())) {
      pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"))));
    }
    servers.catchUp();
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @Test
  void aClaimIsRepeatedOnAnotherConnection() {
    TwoServers both = new TwoServers();
    try (HikariDataSource connections = new HikariDataSource()) {
      connections.setDataSource(both.dataSource());
      connections.setMaximumPoolSize(1);
      try (Pools pools = Pools.over(connections)) {
        Pool pool = pools.open("p");
        both.nextLeadsToStandby.set(true);
        connections.getHikariPoolMXBean().softEvictConnections();

        assertThat(pool.claim(ClaimRequest.of("vm"))).isInstanceOf(Granted.class);

        assertThat(both.nextLeadsToStandby).isFalse();
      }
    }
  }

  @Test
  void aListenerLeavesAStandby() {
    try (Pools pools = Pools.over(servers.primary())) {
      TwoServers both = new TwoServers();
      both.nextLeadsToStandby.set(true);

      pools.listenThrough(both.dataSource());

      Session.await("the listener leaves the standby", pools::isListening);
    }
  }

  /** Connections to the primary, except for the next one when a test says so. */
  private static final class TwoServers {
    private final AtomicBoolean nextLeadsToStandby = new AtomicBoolean();

    DataSource dataSource() {
      return (DataSource)
          Proxy.newProxyInstance(
              DataSource.class.getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                boolean opens = method.getName().equals("getConnection");
                boolean toStandby = opens && nextLeadsToStandby.getAndSet(false);
                return method.invoke(toStandby ? servers.standby() : servers.primary(), arguments);
              });
    }
  }
}
