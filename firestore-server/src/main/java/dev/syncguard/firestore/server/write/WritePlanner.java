package dev.syncguard.firestore.server.write;

import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.UnknownFieldSet;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Masks;
import dev.syncguard.firestore.server.value.Transforms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks all that can be checked of a write without looking at stored documents. */
public final class WritePlanner {
  private static final int MAX_TRANSFORMS = 500;
  /** Web and mobile clients send this one, although the published messages do not name it. */
  public static final int VERIFY_FIELD = 5;

  private final DatabaseName database;
  private final SizeLimits limits;
  private final StorableValues values;

  /** Creates a planner for commits to this database, of documents of the usual sizes. */
  public WritePlanner(DatabaseName database) {
    this(database, SizeLimits.STANDARD);
  }

  /** Creates a planner for commits to this database. */
  public WritePlanner(DatabaseName database, SizeLimits limits) {
    this.database = database;
    this.limits = limits;
    this.values = new StorableValues(limits);
  }

  /** Returns the writes of one commit, or refuses all of them. */
  public List<PlannedWrite> plan(List<Write> writes) {
    List<PlannedWrite> planned = new ArrayList<>(writes.size());
    Map<DocumentName, Integer> transforms = new HashMap<>();
    Map<DocumentName, PlannedWrite> earlier = new HashMap<>();
    for (Write write : writes) {
      PlannedWrite next = plan(write);
      PlannedWrite before = earlier.put(next.name(), next);
      if (before != null) {
        checkSequence(before, next);
      }
      if (next.transforms() > 0) {
        checkTransforms(transforms.merge(next.name(), next.transforms(), Integer::sum));
      }
      planned.add(next);
    }
    return planned;
  }

  private static void checkSequence(PlannedWrite before, PlannedWrite next) {
    if (before.isVerify() || next.isVerify()) {
      throw FirestoreServerException.invalid("the same document cannot be "
          + (!before.isVerify()
              ? "written and then verified"
              : next.isVerify() ? "verified more than once" : "verified and then written")
          + " in a single request");
    }
    if (before.isDelete() && next.requiresDocument()) {
      throw FirestoreServerException.invalid(
          "A document that a request deletes cannot be updated by the same request.");
    }
  }

  /** Returns one write, or refuses it. */
  public PlannedWrite plan(Write write) {
    Preconditions.validate(write.getCurrentDocument());
    return switch (write.getOperationCase()) {
      case UPDATE -> update(write);
      case DELETE -> bare(write.getDelete(), PlannedWrite.Kind.DELETE, write.getCurrentDocument());
      case TRANSFORM -> transform(write);
      case OPERATION_NOT_SET -> verify(write);
    };
  }

  private PlannedWrite update(Write write) {
    DocumentName name = name(write.getUpdate().getName());
    Map<String, Value> fields = values.of(write.getUpdate().getFieldsMap());
    List<FieldTransform> transforms = transforms(write.getUpdateTransformsList());
    boolean merge = write.hasUpdateMask();
    List<FieldPath> mask = merge ? Masks.parse(write.getUpdateMask()) : List.of();
    mask.forEach(StorableValues::checkPath);
    limits.check(name, fields);
    return new PlannedWrite(
        name,
        merge ? PlannedWrite.Kind.MERGE : PlannedWrite.Kind.REPLACE,
        fields,
        mask,
        transforms,
        write.getCurrentDocument(),
        limits);
  }

  private PlannedWrite transform(Write write) {
    return new PlannedWrite(
        name(write.getTransform().getDocument()),
        PlannedWrite.Kind.TRANSFORM_ONLY,
        Map.of(),
        List.of(),
        transforms(write.getTransform().getFieldTransformsList()),
        write.getCurrentDocument(),
        limits);
  }

  private PlannedWrite verify(Write write) {
    UnknownFieldSet.Field verify = write.getUnknownFields().getField(VERIFY_FIELD);
    if (verify.getLengthDelimitedList().size() != 1) {
      throw FirestoreServerException.invalid("A write must be an update, a delete or a transform.");
    }
    if (write.getCurrentDocument().getConditionTypeCase()
        == Precondition.ConditionTypeCase.CONDITIONTYPE_NOT_SET) {
      throw FirestoreServerException.invalid("a verify must contain a precondition");
    }
    if (write.hasUpdateMask()) {
      throw FirestoreServerException.invalid("a verify must not specify a document mask.");
    }
    if (write.getUpdateTransformsCount() > 0) {
      throw FirestoreServerException.invalid("a verify must not specify a update transform.");
    }
    String name = verify.getLengthDelimitedList().get(0).toStringUtf8();
    return bare(name, PlannedWrite.Kind.VERIFY, write.getCurrentDocument());
  }

  private PlannedWrite bare(String name, PlannedWrite.Kind kind, Precondition precondition) {
    return new PlannedWrite(name(name), kind, Map.of(), List.of(), List.of(), precondition, limits);
  }

  private DocumentName name(String text) {
    DocumentName name = DocumentName.parse(text);
    if (!name.database().equals(database)) {
      throw FirestoreServerException.invalid(
          "The document name does not lie in the database of the request.");
    }
    return new DocumentName(database, name.path()); // a million documents share one database
  }

  private List<FieldTransform> transforms(List<FieldTransform> transforms) {
    checkTransforms(transforms.size());
    List<FieldTransform> storable = new ArrayList<>(transforms.size());
    for (FieldTransform transform : transforms) {
      FieldPath path = FieldPath.parse(transform.getFieldPath());
      StorableValues.checkPath(path);
      Transforms.check(transform);
      storable.add(storable(path, transform));
    }
    return storable;
  }

  private static void checkTransforms(int count) {
    if (count > MAX_TRANSFORMS) {
      throw FirestoreServerException.invalid(
          "A commit has at most " + MAX_TRANSFORMS + " field transforms of one document.");
    }
  }

  // What a transform brings must obey the same limits as what an update brings.
  private FieldTransform storable(FieldPath path, FieldTransform transform) {
    return switch (transform.getTransformTypeCase()) {
      case APPEND_MISSING_ELEMENTS ->
        transform.toBuilder()
            .setAppendMissingElements(
                values.at(path, array(transform.getAppendMissingElements())).getArrayValue())
            .build();
      case REMOVE_ALL_FROM_ARRAY ->
        transform.toBuilder()
            .setRemoveAllFromArray(
                values.at(path, array(transform.getRemoveAllFromArray())).getArrayValue())
            .build();
      case INCREMENT ->
        transform.toBuilder()
            .setIncrement(values.at(path, transform.getIncrement()))
            .build();
      case MAXIMUM ->
        transform.toBuilder()
            .setMaximum(values.at(path, transform.getMaximum()))
            .build();
      case MINIMUM ->
        transform.toBuilder()
            .setMinimum(values.at(path, transform.getMinimum()))
            .build();
      default -> transform;
    };
  }

  private static Value array(com.google.firestore.v1.ArrayValue elements) {
    return Value.newBuilder().setArrayValue(elements).build();
  }
}
