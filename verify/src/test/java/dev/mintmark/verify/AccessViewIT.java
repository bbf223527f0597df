package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.WebElement;

/** The console signs in with a key, and manages keys and shows the audit; in a browser. */
@Tag("slow")
class AccessViewIT {
  @RegisterExtension static final ConsoleSession CONSOLE = new ConsoleSession();

  private static RunningServer server;
  private static String key;

  private final ConsolePage page = new ConsolePage(CONSOLE.driver());

  /** A server of its own: with a key, the others would need one too. */
  @BeforeAll
  static void start() {
    Path data = CONSOLE.directory().resolve("accounts");
    server = RunningServer.start(Mintmark.in(CONSOLE.directory()), data);
    ConsolePage page = new ConsolePage(CONSOLE.driver());
    page.open(server.console(), "view=access");
    page.awaitOne("without-accounts");
    assertThat(page.barriers()).isEmpty();
    key =
        Mintmark.in(CONSOLE.directory())
            .run("key", "create", "--admin", "--name", "operations", "--data", data.toString())
            .out()
            .strip();
    assertThat(key).startsWith("mmk_");
    page.await(
        "the server to notice the key",
        () -> server.get("/v1/session").body().contains("\"accounts\":true"));
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void signIn() {
    page.driver.manage().deleteAllCookies();
    page.open(server.console(), "view=access");
    page.awaitOne("sign-in-key");
    assertThat(page.barriers()).isEmpty();
    page.fill("sign-in-key", "mmk_wrong");
    page.one("sign-in-submit").click();
    page.await("the refusal", () -> page.one("sign-in-said").getText().contains("not a key"));
    page.fill("sign-in-key", key);
    page.one("sign-in-submit").click();
    page.awaitOne("keys");
  }

  @Test
  void aKeyIsCreatedShownOnceAndRevoked() {
    page.fill("key-name", "billing");
    page.fill("key-scopes", "claim:public-ipv4 pools:read");
    page.one("key-create").click();
    page.awaitOne("created-key");
    String created = page.one("created-key").getText();
    assertThat(created).startsWith("mmk_");
    assertThat(page.barriers()).isEmpty();
    page.one("created-done").click();
    String id = created.substring("mmk_".length(), 14);
    page.awaitOne("revoke-" + id);
    assertThat(page.one("keys").getText()).contains("billing").doesNotContain(created);

    page.one("revoke-" + id).click();
    page.one("revoke-confirm-" + id).click();

    page.await("the end", () -> page.one("keys-said").getText().contains(id + " is revoked"));
    page.await("no button", () -> page.all("revoke-" + id).isEmpty());
  }

  @Test
  void theAuditIsSearched() {
    page.awaitOne("audit");
    page.await("an entry", () -> page.one("audit").getText().contains("key create"));
    page.fill("audit-action", "nothing");
    page.one("audit-find").click();
    page.awaitOne("audit-empty");
    page.fill("audit-action", "key create");
    page.one("audit-find").click();
    page.await("the entry", () -> page.all("audit").stream().anyMatch(WebElement::isDisplayed));

    page.one("audit-export").click();
    page.await("the file", () -> page.one("audit-said").getText().contains("1 entries"));
  }

  @Test
  void onAPhoneNothingScrollsSideways() {
    page.emulatePhone();
    page.open(server.console(), "view=access");
    page.awaitOne("keys");

    assertThat(page.contentWidth()).isLessThanOrEqualTo(page.windowWidth());
    page.emulateColorScheme("dark");
    assertThat(page.barriers()).isEmpty();
  }

  @Test
  void signingOutEndsTheSession() {
    page.one("sign-out").click();
    page.awaitOne("sign-in-key");

    page.open(server.console(), "view=pools");
    page.awaitOne("sign-in-key");
  }
}
