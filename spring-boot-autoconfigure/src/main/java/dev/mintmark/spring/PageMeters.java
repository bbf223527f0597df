package dev.mintmark.spring;

import dev.mintmark.postgres.page.KeysetPages;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The gauge {@code mintmark.page.lag}: for how long the oldest transaction has been open that holds
 * pages back, with the tag {@code pages}, the name of their bean. Read at most every ten seconds.
 * Not a number while the database does not answer.
 */
final class PageMeters implements MeterBinder {
  private final PageBeans pages;
  private final ObjectProvider<DataSource> dataSource;
  private final RecentValues<Double> lags = new RecentValues<>();

  PageMeters(PageBeans pages, ObjectProvider<DataSource> dataSource) {
    this.pages = pages;
    this.dataSource = dataSource;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    pages
        .all()
        .forEach(
            (bean, read) ->
                TimeGauge.builder(
                        "mintmark.page.lag",
                        () -> lags.get(bean, () -> millis(read)),
                        TimeUnit.MILLISECONDS)
                    .description("How long the oldest transaction that holds pages back is open")
                    .tag("pages", bean)
                    .register(registry));
  }

  private double millis(KeysetPages<?> read) {
    try {
      return read.lag(dataSource.getObject()).lag().toMillis();
    } catch (SQLException e) {
      return Double.NaN;
    }
  }
}
