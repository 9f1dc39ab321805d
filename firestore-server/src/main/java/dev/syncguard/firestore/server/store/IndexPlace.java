package dev.syncguard.firestore.server.store;

/**
 * What the value of an index entry says of its key: where in it the name of the document starts, and whether the values
 * before that were cut because they are long. Entries share these few arrays.
 */
final class IndexPlace {
  static final int BYTES = 2;

  private static final int CUT = 0x80;
  private static final int SHARED = 512;
  private static final byte[][] WHOLE = places(0);
  private static final byte[][] NOT_WHOLE = places(CUT);

  private IndexPlace() {}

  static byte[] of(int place, boolean cut) {
    if (place < SHARED) {
      return (cut ? NOT_WHOLE : WHOLE)[place];
    }
    return new byte[] {(byte) (place >>> 8 | (cut ? CUT : 0)), (byte) place};
  }

  static byte[] shared(byte[] value) {
    return value.length == 0 ? Keys.NOTHING : of(place(value), isCut(value));
  }

  static int place(byte[] value) {
    return (value[0] & ~CUT & 0xFF) << 8 | (value[1] & 0xFF);
  }

  static boolean isCut(byte[] value) {
    return (value[0] & CUT) != 0;
  }

  private static byte[][] places(int flag) {
    byte[][] places = new byte[SHARED][];
    for (int place = 0; place < SHARED; place++) {
      places[place] = new byte[] {(byte) (place >>> 8 | flag), (byte) place};
    }
    return places;
  }
}
