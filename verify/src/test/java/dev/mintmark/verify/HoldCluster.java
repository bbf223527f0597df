package dev.mintmark.verify;

import java.io.IOException;

/** A program that runs a cluster until its standard input is closed, and prints its directory. */
final class HoldCluster {
  private HoldCluster() {}

  public static void main(String[] arguments) throws IOException {
    try (PatroniCluster cluster = PatroniCluster.start()) {
      cluster.pause(cluster.primary());
      System.out.println(cluster.directory());
      while (System.in.read() >= 0) {}
    }
  }
}
