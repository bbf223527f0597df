package dev.mintmark.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.jdbi.ShopTypes.PaymentId;
import dev.mintmark.postgres.jdbc.IdColumn;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.SecurityContext;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.jdbc.core.SqlTypeValue;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The code of docs/jdbc-libraries.md that needs no artifact of ours. */
@Tag("database")
class JdbcLibrariesTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final DataSource DATA_SOURCE = DATABASE.dataSource();
  private static final Ulid ID = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
  private static final Ulid OTHER = Ulid.parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");

  @BeforeAll
  static void create() {
    DATABASE.execute("create table tracks (track_id uuid primary key, payment bigint, title text)");
    DATABASE.execute("insert into tracks values ('%s', 123, 'a')".formatted(OTHER.toUuid()));
  }

  private static final IdColumn<Ulid> TRACK_ID = IdColumn.ofUlids();

  private static SqlTypeValue parameter(Ulid id) {
    return (statement, index, sqlType, typeName) -> TRACK_ID.bind(statement, index, id);
  }

  private static SqlTypeValue parameters(List<Ulid> ids) {
    return (statement, index, sqlType, typeName) -> TRACK_ID.bindArray(statement, index, ids);
  }

  /** A row. */
  record Track(Ulid trackId, @Nullable PaymentId payment, String title) {}

  private static DefaultConversionService conversion(List<IdType<?>> types) {
    DefaultConversionService conversion = new DefaultConversionService();
    types.forEach(type -> register(conversion, type));
    return conversion;
  }

  private static <T> void register(DefaultConversionService conversion, IdType<T> type) {
    switch (type.storage()) {
      case UUID ->
          conversion.addConverter(
              UUID.class, type.javaType(), id -> type.fromStored(new ColumnValue.Uuid(id)));
      case BIGINT ->
          conversion.addConverter(
              Long.class, type.javaType(), id -> type.fromStored(new ColumnValue.Bigint(id)));
      case TEXT ->
          conversion.addConverter(
              String.class, type.javaType(), id -> type.fromStored(new ColumnValue.Text(id)));
    }
  }

  @Test
  void jdbcClientBindsAndReadsIdentifiers() {
    JdbcClient client = JdbcClient.create(DATA_SOURCE);
    client
        .sql("insert into tracks values (:id, :payment, 'b') on conflict do nothing")
        .param("id", ID.toUuid())
        .param("payment", null)
        .update();

    Ulid read =
        client
            .sql("select track_id from tracks where track_id = :id")
            .param("id", parameter(ID))
            .query((row, number) -> TRACK_ID.read(row, "track_id"))
            .single();
    assertThat(read).isEqualTo(ID);

    assertThat(
            client
                .sql("select count(*) from tracks where track_id = any(:ids)")
                .param("ids", parameters(List.of(ID, OTHER)))
                .query(Long.class)
                .single())
        .isEqualTo(2);
    assertThat(
            client
                .sql("select count(*) from tracks where track_id in (:ids)")
                .param("ids", List.of(parameter(ID), parameter(OTHER)))
                .query(Long.class)
                .single())
        .isEqualTo(2);
  }

  @Test
  void jdbcClientReadsRecordsWithAConversionService() {
    JdbcClient client =
        JdbcClient.create(
            new NamedParameterJdbcTemplate(DATA_SOURCE),
            conversion(List.of(IdType.ulids(), new ShopTypes().idTypes().get(0))));

    List<Track> tracks =
        client
            .sql("select * from tracks where track_id = :id")
            .param("id", OTHER.toUuid())
            .query(Track.class)
            .list();

    assertThat(tracks).containsExactly(new Track(OTHER, new PaymentId(123), "a"));
  }

  @Test
  void jdbcClientDoesNotKnowIdentifiersByItself() {
    assertThatThrownBy(
            () ->
                JdbcClient.create(DATA_SOURCE)
                    .sql("select :id")
                    .param("id", ID)
                    .query(UUID.class)
                    .single())
        .hasStackTraceContaining("Can't infer the SQL type to use for an instance of");
  }

  /** The mapper of the page. */
  interface Tracks {
    @Insert("insert into tracks values (#{id}, #{payment}, #{title})")
    void add(
        @Param("id") Ulid id, @Param("payment") PaymentId payment, @Param("title") String title);

    @Select("select track_id, payment, title from tracks where track_id = #{id}")
    Track find(Ulid id);
  }

  @Test
  void myBatisBindsAndReadsIdentifiers() {
    Configuration configuration = new Configuration();
    configuration
        .getTypeHandlerRegistry()
        .register(Ulid.class, new IdTypeHandler<>(IdColumn.ofUlids()));
    for (IdType<?> type : new ShopTypes().idTypes()) {
      registerHandler(configuration, type);
    }
    configuration.setArgNameBasedConstructorAutoMapping(true);
    configuration.setMapUnderscoreToCamelCase(true);
    configuration.setEnvironment(
        new Environment("test", new JdbcTransactionFactory(), DATA_SOURCE));
    configuration.addMapper(Tracks.class);
    SqlSessionFactory factory = new SqlSessionFactoryBuilder().build(configuration);

    Ulid id = Ulid.mint();
    try (SqlSession session = factory.openSession()) {
      Tracks tracks = session.getMapper(Tracks.class);
      tracks.add(id, new PaymentId(7), "c");
      assertThat(tracks.find(id)).isEqualTo(new Track(id, new PaymentId(7), "c"));
    }
  }

  private static <T> void registerHandler(Configuration configuration, IdType<T> type) {
    configuration
        .getTypeHandlerRegistry()
        .register(type.javaType(), new IdTypeHandler<>(IdColumn.of(type)));
  }

  /** The resource of the page. */
  @Path("tracks")
  public static final class TrackResource {
    /** Ulid has a valueOf; PaymentId is converted by the provider. */
    @GET
    @Path("{track}/payments/{payment}")
    public String get(@PathParam("track") Ulid track, @PathParam("payment") PaymentId payment) {
      return track + " " + payment.value();
    }
  }

  @Test
  void jaxRsReadsIdentifiersInPaths() throws Exception {
    ApplicationHandler application = application(TrackResource.class, IdParameters.class);

    assertThat(get(application, "tracks/" + ID + "/payments/PM000123"))
        .isEqualTo("200 " + ID + " 123");
    assertThat(get(application, "tracks/" + ID + "/payments/PX000123")).startsWith("400 ");
    assertThat(get(application, "tracks/x/payments/PM000123")).startsWith("400 ");
    assertThat(get(application(UlidResource.class), "ulids/" + ID)).isEqualTo("200 " + ID);
    assertThat(get(application(UlidResource.class), "ulids/x")).startsWith("404 ");
  }

  /** Without the provider. */
  @Path("ulids")
  public static final class UlidResource {
    @GET
    @Path("{id}")
    public String get(@PathParam("id") Ulid id) {
      return id.toString();
    }
  }

  private static ApplicationHandler application(Class<?>... classes) {
    return new ApplicationHandler(
        new ResourceConfig(classes).property(ServerProperties.WADL_FEATURE_DISABLE, true));
  }

  private static String get(ApplicationHandler application, String path)
      throws InterruptedException, ExecutionException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    URI base = URI.create("http://localhost/");
    @SuppressWarnings("NullAway") // No security, no configuration.
    ContainerRequest request =
        new ContainerRequest(
            base,
            base.resolve(path),
            "GET",
            (SecurityContext) null,
            new MapPropertiesDelegate(),
            null);
    ContainerResponse response = application.apply(request, body).get();
    return response.getStatus() + " " + body.toString(StandardCharsets.UTF_8);
  }
}
