package dev.mintmark.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a key. */
class KeyTextTest {
  private final SecureRandom entropy = new SecureRandom();

  @Test
  void aMintedKeyIsRead() {
    KeyText key = KeyText.mint(entropy);

    assertThat(key.text()).matches("mmk_[0-9a-hjkmnp-tv-z]{10}_[0-9a-hjkmnp-tv-z]{39}");
    assertThat(key.text()).startsWith("mmk_" + key.id() + "_");
    assertThat(KeyText.tryParse(key.text())).contains(key);
    assertThat(key.hash()).hasSize(32);
  }

  @Test
  void aChangedCharacterIsFound() {
    String text = KeyText.mint(entropy).text();

    for (int i = 0; i < text.length(); i++) {
      char other = text.charAt(i) == '7' ? '8' : '7';
      String changed = text.substring(0, i) + other + text.substring(i + 1);

      assertThat(KeyText.tryParse(changed)).as(changed).isEmpty();
    }
  }

  @Test
  void keysAreDifferent() {
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add(KeyText.mint(entropy).text().substring("mmk_".length(), 25));
    }

    assertThat(keys).hasSize(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mmk_", "Bearer", "mmk_0123456789_0123456789"})
  void otherTextsAreNoKeys(String text) {
    assertThat(KeyText.tryParse(text)).isEmpty();
    assertThat(KeyText.isIn(text)).isFalse();
  }

  @Test
  void aKeyInAUrlIsFoundAlsoWithAWrongChecksum() {
    String text = KeyText.mint(entropy).text();

    assertThat(KeyText.isIn("id=1&key=" + text + "&more=2")).isTrue();
    assertThat(KeyText.isIn(text.substring(0, text.length() - 1) + "7")).isTrue();
  }

  @Test
  void theSecretIsNotShown() {
    KeyText key = KeyText.mint(entropy);

    assertThat(key.toString()).isEqualTo("mmk_" + key.id() + "_...");
  }
}
