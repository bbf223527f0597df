/** Auto-configuration of Mintmark for Spring Boot. */
@NullMarked
package dev.mintmark.spring;

import org.jspecify.annotations.NullMarked;
