package dev.syncguard.firestore.server.durability;

import com.google.firestore.v1.Document;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ExtensionRegistryLite;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commits as bytes: the time, then each document's name and, unless it was deleted, the document; at last what else there is
 * to say, if anything. A large commit, like that of an import, becomes several parts, so that nobody has to hold all of it
 * to read it back.
 */
final class CommitCodec {
  /** A part ends with the document that makes it longer than this. */
  private static final int PART_BYTES = 1 << 20;

  /** Triggers are not told of it. */
  private static final int QUIET = 1;
  /** Another part of the same commit follows. */
  private static final int CONTINUED = 2;

  /**
   * A commit, or a piece of one.
   *
   * @param last whether nothing more of the commit follows
   */
  record Part(Commit commit, boolean last) {}

  private CommitCodec() {}

  /** Hands over the parts of a commit, one after the other. */
  static void encode(Commit commit, Consumer<byte[]> parts) {
    List<Change> changes = commit.changes();
    int start = 0;
    do {
      int end = endOfPart(changes, start);
      int flags = (commit.quiet() ? QUIET : 0) | (end < changes.size() ? CONTINUED : 0);
      parts.accept(encode(commit.micros(), changes.subList(start, end), flags));
      start = end;
    } while (start < changes.size());
  }

  /** Returns a commit at this time that changes nothing. */
  static byte[] encode(long micros) {
    return encode(micros, List.of(), 0);
  }

  private static int endOfPart(List<Change> changes, int start) {
    int end = start;
    long bytes = 0;
    while (end < changes.size() && bytes <= PART_BYTES) {
      Change change = changes.get(end);
      Document after = change.after();
      bytes += change.name().path().length() + (after == null ? 0 : after.getSerializedSize());
      end++;
    }
    return end;
  }

  private static byte[] encode(long micros, List<Change> changes, int flags) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeSInt64NoTag(micros);
      out.writeUInt32NoTag(changes.size());
      for (Change change : changes) {
        Document after = change.after();
        out.writeStringNoTag(change.name().toString());
        out.writeBoolNoTag(after != null);
        if (after != null) {
          out.writeMessageNoTag(after);
        }
      }
      if (flags != 0) {
        out.writeUInt32NoTag(flags);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("Memory does not fail like this", e);
    }
    return bytes.toByteArray();
  }

  static Part decode(byte[] payload) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(payload);
    long micros = in.readSInt64();
    int count = in.readUInt32();
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DocumentName name = DocumentName.parse(in.readString());
      @Nullable
      Document after = in.readBool()
          ? in.readMessage(Document.parser(), ExtensionRegistryLite.getEmptyRegistry())
          : null;
      changes.add(new Change(name, null, after));
    }
    int flags = in.isAtEnd() ? 0 : in.readUInt32();
    return new Part(new Commit(micros, changes, (flags & QUIET) != 0), (flags & CONTINUED) == 0);
  }
}
