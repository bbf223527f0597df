package dev.mintmark.spring;

import dev.mintmark.postgres.page.KeysetPages;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;

/** The pages that are beans, by the name of the bean. */
final class PageBeans {
  private final ListableBeanFactory beans;

  PageBeans(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /** Returns them; they are created if they are lazy. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // Pages of any value.
  Map<String, KeysetPages<?>> all() {
    return (Map) beans.getBeansOfType(KeysetPages.class);
  }
}
