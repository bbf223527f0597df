package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import dev.mintmark.fixtures.TestDatabase;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.xa.PGXADataSource;

/** Ids of the server in transactions of JTA, which outlive a session or are outlived by one. */
@Tag("database")
class JtaTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();
  private static final RecordedStatements STATEMENTS = new RecordedStatements();
  private static final TransactionManager JTA =
      com.arjuna.ats.jta.TransactionManager.transactionManager();
  private static SessionFactory factory;

  @BeforeAll
  static void start() throws CoreEnvironmentBeanException {
    arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("1");
    for (String store : Stream.of("default", "communicationStore", "stateStore").toList()) {
      BeanPopulator.getNamedInstance(
              ObjectStoreEnvironmentBean.class, store.equals("default") ? null : store)
          .setObjectStoreType(VolatileStore.class.getName());
    }
    Shop.start(DATABASE, STATEMENTS, Shop.Incident.class).close();
    Configuration configuration = new Configuration().addAnnotatedClass(Shop.Incident.class);
    configuration.setProperty("hibernate.transaction.coordinator_class", "jta");
    configuration.setProperty("hibernate.transaction.jta.platform", "JBossTS");
    configuration.setProperty("hibernate.jdbc.batch_size", "50");
    configuration
        .getProperties()
        .put("jakarta.persistence.jtaDataSource", STATEMENTS.around(new EnlistedConnections()));
    factory = configuration.buildSessionFactory();
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  /** Connections that take part in the transaction of the thread, as an application server's. */
  private static final class EnlistedConnections implements DataSource {
    private final PGXADataSource postgres = new PGXADataSource();
    private final Map<Transaction, XAConnection> enlisted = new ConcurrentHashMap<>();

    EnlistedConnections() {
      postgres.setServerNames(new String[] {"127.0.0.1"});
      postgres.setPortNumbers(new int[] {DATABASE.port()});
      postgres.setDatabaseName(DATABASE.name());
      postgres.setUser("postgres");
    }

    @Override
    public Connection getConnection() throws SQLException {
      try {
        Transaction transaction = JTA.getTransaction();
        if (transaction == null) {
          return postgres.getConnection();
        }
        XAConnection connection = enlisted.get(transaction);
        if (connection == null) {
          connection = enlist(transaction);
        }
        return connection.getConnection();
      } catch (SystemException | RollbackException e) {
        throw new SQLException(e);
      }
    }

    private XAConnection enlist(Transaction transaction)
        throws SQLException, SystemException, RollbackException {
      XAConnection connection = postgres.getXAConnection();
      enlisted.put(transaction, connection);
      transaction.enlistResource(connection.getXAResource());
      transaction.registerSynchronization(
          new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
              enlisted.remove(transaction);
              try {
                connection.close();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            }
          });
      return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLogWriter(PrintWriter writer) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }

  private static List<String> blocks() {
    return STATEMENTS.drain().stream().filter(sql -> sql.contains("ulids")).toList();
  }

  @Test
  void whatIsLeftOverIsDroppedAtTheEndOfTheJtaTransaction() throws Exception {
    try (Session session = factory.openSession()) {
      for (int i = 0; i < 2; i++) {
        JTA.begin();
        session.joinTransaction();
        session.persist(new Shop.Incident());
        session.persist(new Shop.Incident());
        JTA.commit();
        assertThat(blocks()).hasSize(1);
      }
      JTA.begin();
      session.joinTransaction();
      session.persist(new Shop.Incident());
      JTA.rollback();
      assertThat(blocks()).hasSize(1);
    }
    assertThat(DATABASE.number("select count(*) from incident")).isEqualTo(4);
  }

  @Test
  void outsideATransactionOfJtaIdsOfTheServerAreRefused() {
    try (Session session = factory.openSession()) {
      assertThatThrownBy(() -> session.persist(new Shop.Incident()))
          .isInstanceOf(HibernateException.class)
          .hasMessageContaining("persist outside a transaction");
    }
  }
}
