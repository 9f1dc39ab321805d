package dev.syncguard.userscript.browser;

import dev.syncguard.sync.Random;
import org.teavm.jso.JSBody;

/** Chance from WebCrypto. */
public final class WebCryptoRandom implements Random {

  @Override
  public String uuid() {
    return randomUuid();
  }

  @Override
  public int below(int bound) {
    return (int) (random32() / 4294967296.0 * bound);
  }

  // randomUUID is missing where a page did not come by https.
  @JSBody(
      script = "if (crypto.randomUUID) return crypto.randomUUID(); var b ="
          + " crypto.getRandomValues(new Uint8Array(16)); b[6] = b[6] & 15 | 64; b[8] = b[8] & 63"
          + " | 128; var s = ''; for (var i = 0; i < 16; i++) { s += (i === 4 || i === 6 || i ==="
          + " 8 || i === 10 ? '-' : '') + (b[i] + 256).toString(16).slice(1); } return s;")
  private static native String randomUuid();

  @JSBody(script = "return crypto.getRandomValues(new Uint32Array(1))[0];")
  private static native double random32();
}
