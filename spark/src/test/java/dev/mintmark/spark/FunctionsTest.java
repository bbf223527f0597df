package dev.mintmark.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class FunctionsTest {
  private final SparkSession spark = LocalSpark.newSession();

  @Test
  void headersOfColumnsAreTheCall() {
    Dataset<Row> query = spark.sql("select ulid_text(id) from values ('x') as ids (id)");

    assertThat(query.columns()).containsExactly("ulid_text(id)");
  }

  @Test
  void probe() {
    Dataset<Row> q =
        spark.sql(
            "select ulid_text(id), ulid_uuid(ulid_text(id)), ulid_time(id), try_ulid_time(id), try_ulid_text(id), ulid_text(null) from (select if(id % 2 = 0, concat('017fe093-7adf-9932-aaaa-01fd0ba14d3', id), null) as id from range(4))");
    q.explain("codegen");
    System.out.println(LocalSpark.rows(q));
    for (String s :
        new String[] {
          "select raise_error(concat('x', id)) from range(1)",
          "select ulid_text(concat('x',id)) from range(1)",
          "select ulid_text(array(1))",
          "select ulid_uuid(id collate utf8_lcase) from values ('01fzg96ypzk4sanag1zm5t2k9z') as ids (id)",
          "select ulid_min('2022-03-31'), ulid_min(date '2022-03-31'), ulid_max(timestamp_ntz '2022-03-31 00:00:00')",
          "describe function extended try_ulid_text",
          "select ulid_text(unhex('017fe0937adf9932aaaa01fd0ba14d3f')), typeid_text('user', unhex('017fe0937adf9932aaaa01fd0ba14d3f')), ulid_time(unhex('017fe0937adf9932aaaa01fd0ba14d3f')), ulid_uuid(unhex('017fe0937adf9932aaaa01fd0ba14d3f'))"
        }) {
      try {
        System.out.println(s + " -> " + LocalSpark.rows(spark.sql(s)));
      } catch (Exception e) {
        System.out.println(
            s + " => " + e.getClass() + ": " + e.getMessage() + "\n   cause " + e.getCause());
      }
    }
  }
}
