package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;

/** The profile {@code matrix} runs all tests of this module again, on an older Hibernate. */
class HibernateVersionTest {
  @Test
  void testsRunOnTheVersionThatTheRunNames() {
    assertThat(Version.getVersionString())
        .startsWith(System.getProperty("mintmark.test.hibernate", "7."));
  }
}
