package feed;

import dev.mintmark.InCollection;
import dev.mintmark.Puri;
import java.util.List;

/** What a feed consists of. The pURI of an object says which record it is. */
public sealed interface Item {
  record Track(@InCollection("tracks") Puri uri, String title, int duration) implements Item {}

  record User(@InCollection("users") Puri uri, String name) implements Item {}

  record Playlist(@InCollection("playlists") Puri uri, String title, List<Item> items)
      implements Item {}

  /** An object of a type that a newer service knows: it is kept and given back. */
  record Unknown(Puri uri, String json) implements Item {}
}
