package dev.mintmark.app.view;

import dev.mintmark.CidrBlock;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.Quoted;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How each claim gets an IPv6 address, as JSON: {@code {"prefix": "2001:db8:42::/96", "embed":
 * "ipv4"}}.
 */
public record Ipv6EmbeddingJson(@Nullable String prefix, @Nullable String embed) {
  static Ipv6EmbeddingJson of(Ipv6Embedding embedding) {
    return new Ipv6EmbeddingJson(
        embedding.prefix().toString(), embedding.source().name().toLowerCase(Locale.ROOT));
  }

  Ipv6Embedding toEmbedding() {
    if (prefix == null || embed == null) {
      throw new IllegalArgumentException("ipv6: expected prefix and embed");
    }
    Ipv6Embedding.Source source =
        switch (embed) {
          case "ipv4" -> Ipv6Embedding.Source.IPV4;
          case "client" -> Ipv6Embedding.Source.CLIENT;
          default ->
              throw new IllegalArgumentException(
                  "embed is " + Quoted.of(embed) + ": expected ipv4 or client");
        };
    return new Ipv6Embedding(CidrBlock.parse(prefix), source);
  }
}
