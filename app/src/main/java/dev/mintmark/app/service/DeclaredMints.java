package dev.mintmark.app.service;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.operations.doctor.DeclaredMint;
import dev.mintmark.operations.migrate.MintDefault;
import java.util.ArrayList;
import java.util.List;

/** What a catalog declares of mints, for the doctor. */
public final class DeclaredMints {
  private DeclaredMints() {}

  public static List<DeclaredMint> of(Catalog catalog) {
    List<DeclaredMint> mints = new ArrayList<>();
    for (CollectionSpec collection : catalog.collections()) {
      MintDefault mint = MintDefault.of(collection);
      collection
          .table()
          .ifPresent(
              table ->
                  mints.add(
                      new DeclaredMint(
                          table,
                          collection.column(),
                          collection.mint(),
                          mint.expression(),
                          mint::isMintedBy)));
    }
    return mints;
  }
}
