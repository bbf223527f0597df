package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.file.Path;

/** A program that runs the database of a directory until its standard input is closed. */
final class HoldDatabase {
  private HoldDatabase() {}

  public static void main(String[] args) throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(Path.of(args[0]))) {
      System.out.println(database.jdbcUrl());
      while (System.in.read() >= 0) {}
    } catch (StartupException e) {
      System.out.println(e.getMessage());
    }
  }
}
