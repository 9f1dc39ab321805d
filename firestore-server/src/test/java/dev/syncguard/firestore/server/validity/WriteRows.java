package dev.syncguard.firestore.server.validity;

import static com.google.rpc.Code.INVALID_ARGUMENT;
import static com.google.rpc.Code.OK;
import static dev.syncguard.firestore.server.validity.ValidityRow.rest;

import com.google.rpc.Code;
import java.util.List;

/** What may be written, how large, and under which names. */
final class WriteRows {
  private static final String NUMBER = "{'integerValue':'1'}";
  private static final String EXISTS = "'currentDocument':{'exists':true}";

  private WriteRows() {}

  static List<ValidityRow> limits() {
    return List.of(
        field("a text of 1,048,400 bytes", "'s':{'stringValue':'" + "x".repeat(1_048_400) + "'}"),
        refused(
                "a text of 1,048,488 bytes",
                "'s':{'stringValue':'" + "x".repeat(1_048_488) + "'}",
                "")
            .emulator("the same status, other words"),
        refused(
                "a document of more than 1 MiB",
                "'s':{'stringValue':'" + "x".repeat(600_000) + "'},'t':{'stringValue':'"
                    + "x".repeat(600_000) + "'}",
                "Document '@/c/d' cannot be written because its size")
            .emulator("the same status, other words"),
        refused(
            "a field name of 1,501 bytes",
            "'" + "f".repeat(1501) + "':" + NUMBER,
            "The property.name is longer than 1500 bytes."),
        rest(
            "an id of 1,501 bytes",
            "PATCH",
            "/c/" + "i".repeat(1501),
            "{}",
            INVALID_ARGUMENT,
            "The key path element name is longer than 1500 bytes."),
        field("maps 20 deep", "'f':" + nested(20)),
        refused("maps 21 deep", "'f':" + nested(21), ""),
        commit("501 writes", "{'delete':'@/c/d'},".repeat(500) + "{'delete':'@/c/d'}", OK, ""),
        commit("500 transforms of a document", transforms(500), OK, ""),
        commit("501 transforms of a document", transforms(501), INVALID_ARGUMENT, ""));
  }

  static List<ValidityRow> names() {
    return List.of(
        refused("a reserved field", "'__x__':" + NUMBER, "field name __x__ is reserved"),
        refused(
            "a reserved field in a map",
            "'m':{'mapValue':{'fields':{'__x__':" + NUMBER + "}}}",
            ""),
        rest(
            "a reserved id",
            "PATCH",
            "/c/__x__",
            "{}",
            INVALID_ARGUMENT,
            "Resource id \"__x__\" is invalid because it is reserved."),
        rest("a numeric id", "PATCH", "/c/__id5__", "{}", OK, ""),
        rest(
            "a malformed numeric id",
            "PATCH",
            "/c/__id5x__",
            "{}",
            INVALID_ARGUMENT,
            "A long document ID string must be formatted like '__id{LONG}__'"),
        refused(
                "a list in a list",
                "'l':{'arrayValue':{'values':[{'arrayValue':{}}]}}",
                "Cannot convert an array value in an array value.")
            .emulator("the same status, other words"),
        refused(
            "a vector in a list",
            "'l':{'arrayValue':{'values':[{'mapValue':{'fields':{'__type__':{'stringValue':'__vector__'},"
                + "'value':{'arrayValue':{'values':[{'doubleValue':1}]}}}}}]}}",
            "Cannot convert a vector value in an array value."));
  }

  static List<ValidityRow> writes() {
    String verify = "{'verify':'@/there/d'," + EXISTS;
    return List.of(
        refusedCommit(
            "verify without a precondition",
            "{'verify':'@/there/d'}",
            "a verify must contain a precondition"),
        refusedCommit(
            "verify with a mask",
            verify + ",'updateMask':{}}",
            "a verify must not specify a document mask."),
        refusedCommit(
            "verify with a transform",
            verify + ",'updateTransforms':[{'fieldPath':'n','increment':" + NUMBER + "}]}",
            "a verify must not specify a update transform."),
        refusedCommit(
            "verify, then write",
            verify + "},{'delete':'@/there/d'}",
            "the same document cannot be verified and then written in a single request"),
        refusedCommit(
            "write, then verify",
            "{'delete':'@/there/d'}," + verify + "}",
            "the same document cannot be written and then verified in a single request"),
        refusedCommit(
            "verify twice",
            verify + "}," + verify + "}",
            "the same document cannot be verified more than once in a single request"),
        commit("verify", verify + "}", OK, ""),
        commit("a document twice", "{'delete':'@/there/x'},{'delete':'@/there/x'}", OK, ""),
        refusedCommit(
            "delete, then update what exists",
            "{'delete':'@/c/d'},{'update':{'name':'@/c/d'}," + EXISTS + "}",
            ""),
        refusedCommit(
            "increment by a text",
            "{'transform':{'document':'@/c/d','fieldTransforms':[{'fieldPath':'n','increment':{'stringValue':'x'}}]}}",
            "Input must be int64 or double."));
  }

  static List<ValidityRow> vectors() {
    return List.of(
        vector("a vector", "'value':{'arrayValue':{'values':[{'doubleValue':1}]}}", OK, ""),
        badVector("a vector without numbers", "", "Vector map is missing key 'value'."),
        badVector(
            "a vector of a text",
            "'value':{'stringValue':'x'}",
            "Vector value type must be an array."),
        badVector(
            "a vector with more in its map",
            "'value':{'arrayValue':{'values':[{'doubleValue':1}]}},'x':" + NUMBER,
            "Vector value map has extraneous entries."),
        badVector(
            "a vector of length 0",
            "'value':{'arrayValue':{}}",
            "Cannot have a zero length vector."),
        badVector(
            "a vector of 2,049 dimensions",
            "'value':{'arrayValue':{'values':[" + "{'doubleValue':1},".repeat(2048)
                + "{'doubleValue':1}]}}",
            "Vectors must be at most 2048 dimensions."),
        badVector(
            "a vector of integers",
            "'value':{'arrayValue':{'values':[" + NUMBER + "]}}",
            "Vector must only contain values of type 'double'"),
        badVector(
            "a vector with NaN",
            "'value':{'arrayValue':{'values':[{'doubleValue':'NaN'}]}}",
            "Vector cannot contain NaN values."),
        refused(
            "a map of another __type__",
            "'v':{'mapValue':{'fields':{'__type__':{'stringValue':'x'}}}}",
            ""),
        refused(
            "a map whose __type__ is no text",
            "'v':{'mapValue':{'fields':{'__type__':" + NUMBER + "}}}",
            ""));
  }

  private static ValidityRow vector(String name, String entries, Code status, String words) {
    String type = "'__type__':{'stringValue':'__vector__'}";
    String map = entries.isEmpty() ? type : type + "," + entries;
    return rest(
        name,
        "PATCH",
        "/c/vector",
        "{'fields':{'v':{'mapValue':{'fields':{" + map + "}}}}}",
        status,
        words);
  }

  private static ValidityRow badVector(String name, String entries, String words) {
    return vector(name, entries, INVALID_ARGUMENT, words);
  }

  private static ValidityRow field(String name, String fields) {
    return rest(name, "PATCH", "/c/d", "{'fields':{" + fields + "}}", OK, "");
  }

  private static ValidityRow refused(String name, String fields, String words) {
    return rest(name, "PATCH", "/c/d", "{'fields':{" + fields + "}}", INVALID_ARGUMENT, words);
  }

  private static ValidityRow refusedCommit(String name, String writes, String words) {
    return commit(name, writes, INVALID_ARGUMENT, words);
  }

  private static ValidityRow commit(String name, String writes, Code status, String words) {
    return rest(name, "POST", ":commit", "{'writes':[" + writes + "]}", status, words);
  }

  private static String nested(int maps) {
    return "{'mapValue':{'fields':{'f':".repeat(maps) + NUMBER + "}}}".repeat(maps);
  }

  private static String transforms(int count) {
    StringBuilder each = new StringBuilder();
    for (int i = 0; i < count; i++) {
      each.append(i == 0 ? "" : ",")
          .append("{'fieldPath':'f")
          .append(i)
          .append("','increment':")
          .append(NUMBER)
          .append("}");
    }
    return "{'transform':{'document':'@/c/many','fieldTransforms':[" + each + "]}}";
  }
}
