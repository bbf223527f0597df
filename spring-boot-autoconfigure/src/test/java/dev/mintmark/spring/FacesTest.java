package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The edge of an application with Spring MVC. */
class FacesTest extends EdgeExpectations {
  FacesTest() {
    super("servlet");
  }

  @Test
  void addressesThatSpringBuildsHaveFaces() {
    assertThat(client.get("/links").body())
        .isEqualTo(
            "/payments/%1$s /orders/%2$s /numbers?id=%1$s /lists?id=%1$s&id=%1$s /optional?id=%2$s"
                .formatted(payment, order));
  }
}
