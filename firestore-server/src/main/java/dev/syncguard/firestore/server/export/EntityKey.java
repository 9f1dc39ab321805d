package dev.syncguard.firestore.server.export;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.List;

/** The name of a document as an export has it: its project, its database, and the path from the root. */
record EntityKey(String project, String database, String path) {
  private static final String DEFAULT_DATABASE = "(default)";
  /** What stands before a project: on the emulator always this, in production a letter that tells where it runs. */
  private static final String APP_PREFIX = "dev~";

  private static final int APP = 13;
  private static final int PATH = 14;
  private static final int DATABASE = 23;

  /** The numbers of the fields of a path element, which a key and a value have differently. */
  private record Form(int group, int type, int id, int name) {}

  private static final Form IN_KEY = new Form(1, 2, 3, 4);
  private static final Form IN_VALUE = new Form(14, 15, 16, 17);

  /** Writes the key of an entity. */
  void writeTo(WireWriter out) {
    out.text(APP, APP_PREFIX + project).nested(PATH, inner -> writeElements(inner, IN_KEY, path));
    writeDatabase(out);
  }

  /** Writes the path of the document at the top, below which this one lies. */
  void writeGroupTo(WireWriter out) {
    int end = path.indexOf('/', path.indexOf('/') + 1);
    writeElements(out, IN_KEY, end < 0 ? path : path.substring(0, end));
  }

  /** Writes the key as the value of a field. */
  void writeReferenceTo(WireWriter out) {
    out.text(APP, APP_PREFIX + project);
    writeElements(out, IN_VALUE, path);
    writeDatabase(out);
  }

  private void writeDatabase(WireWriter out) {
    if (!database.equals(DEFAULT_DATABASE)) {
      out.text(DATABASE, database);
    }
  }

  private static void writeElements(WireWriter out, Form form, String path) {
    String[] ids = path.split("/", -1);
    for (int i = 0; i + 1 < ids.length; i += 2) {
      String type = ids[i];
      String id = ids[i + 1];
      out.group(form.group, element -> {
        element.text(form.type, type);
        NumericId.parse(id)
            .ifPresentOrElse(
                number -> element.number(form.id, number), () -> element.text(form.name, id));
      });
    }
  }

  static EntityKey read(WireReader key) throws InvalidProtocolBufferException {
    WireReader path = key.nested(PATH).orElseThrow(() -> damaged("A document has no path."));
    return read(key, path.groups(IN_KEY.group), IN_KEY);
  }

  static EntityKey readReference(WireReader value) throws InvalidProtocolBufferException {
    return read(value, value.groups(IN_VALUE.group), IN_VALUE);
  }

  private static EntityKey read(WireReader key, List<WireReader> elements, Form form)
      throws InvalidProtocolBufferException {
    List<String> ids = new ArrayList<>();
    for (WireReader element : elements) {
      ids.add(element.text(form.type).orElseThrow(() -> damaged("A path has no collection.")));
      ids.add(
          element.has(form.id)
              ? NumericId.text(
                  element.number(form.id).orElseThrow(() -> damaged("An id is not a number.")))
              : element.text(form.name).orElseThrow(() -> damaged("A path has no document.")));
    }
    if (ids.isEmpty()) {
      throw damaged("A path is empty.");
    }
    String app = key.text(APP).orElse("");
    return new EntityKey(
        app.substring(app.indexOf('~') + 1),
        key.text(DATABASE).filter(name -> !name.isEmpty()).orElse(DEFAULT_DATABASE),
        String.join("/", ids));
  }

  private static InvalidProtocolBufferException damaged(String message) {
    return new InvalidProtocolBufferException(message);
  }
}
