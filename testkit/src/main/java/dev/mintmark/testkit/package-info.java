/**
 * Tools for tests of programs that hand out scarce values: a checker that judges an allocator by a
 * log of its calls, random work, and faults in connections.
 */
@NullMarked
package dev.mintmark.testkit;

import org.jspecify.annotations.NullMarked;
