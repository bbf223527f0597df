package dev.mintmark.spring;

import dev.mintmark.hibernate.MintedBy;
import dev.mintmark.hibernate.MintedGenerator;
import org.hibernate.generator.Generator;

/** Mentions mintmark-hibernate, which may be absent, so it is a class of its own. */
final class ServerMinted {
  private ServerMinted() {}

  /** Returns whether the ids of a generator are minted by the server. */
  static boolean is(Generator generator) {
    return generator instanceof MintedGenerator minted && minted.by() == MintedBy.SERVER;
  }
}
