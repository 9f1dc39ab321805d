package dev.syncguard.firestore.server.listen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BloomFilter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters of names, read as the web SDK reads them, with numbers of any size. */
class NameFilterTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 21, 50, 84, 100, 5000})
  void aFilterHasAllItsNamesAndHardlyAnyOther(int size) throws Exception {
    List<String> names = names("in", size);
    BloomFilter filter = NameFilter.of(names);
    for (String name : names) {
      assertThat(mightContain(filter, name)).as(name).isTrue();
    }
    int mistaken = 0;
    for (String name : names("out", 20_000)) {
      mistaken += mightContain(filter, name) ? 1 : 0;
    }
    assertThat(mistaken).as("of 20,000").isLessThan(10);
  }

  @Test
  void aFilterOfNothingHasBitsAndNoNames() throws Exception {
    BloomFilter filter = NameFilter.of(List.of());
    assertThat(filter.getBits().getBitmap()).isNotEmpty();
    assertThat(mightContain(filter, names("any", 1).get(0))).isFalse();
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "projects/p/databases/(default)/documents/c/" + prefix + "é" + i)
        .toList();
  }

  /** Looks a name up by the definition: slow, and without a shortcut that could overflow. */
  private static boolean mightContain(BloomFilter filter, String name) throws Exception {
    byte[] bitmap = filter.getBits().getBitmap().toByteArray();
    BigInteger bits = BigInteger.valueOf(8L * bitmap.length - filter.getBits().getPadding());
    byte[] digest = MessageDigest.getInstance("MD5").digest(name.getBytes(StandardCharsets.UTF_8));
    BigInteger first = littleEndian(digest, 0);
    BigInteger second = littleEndian(digest, 8);
    for (int i = 0; i < filter.getHashCount(); i++) {
      int bit = first
          .add(second.multiply(BigInteger.valueOf(i)))
          .mod(BigInteger.ONE.shiftLeft(64))
          .mod(bits)
          .intValueExact();
      if ((bitmap[bit / 8] >> (bit % 8) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  private static BigInteger littleEndian(byte[] digest, int start) {
    byte[] big = new byte[8];
    for (int i = 0; i < 8; i++) {
      big[i] = digest[start + 7 - i];
    }
    return new BigInteger(1, big);
  }
}
