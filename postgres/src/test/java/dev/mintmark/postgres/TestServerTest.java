package dev.mintmark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestServerTest {
  @ParameterizedTest
  @EnumSource
  void everyMajorVersionRuns(TestServer server) {
    TestDatabase database = server.createDatabase();

    assertThat(database.number("select current_setting('server_version_num')::bigint / 10000"))
        .isEqualTo(server.majorVersion());
  }
}
