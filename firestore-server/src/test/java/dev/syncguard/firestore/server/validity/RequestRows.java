package dev.syncguard.firestore.server.validity;

import static com.google.rpc.Code.ABORTED;
import static com.google.rpc.Code.ALREADY_EXISTS;
import static com.google.rpc.Code.FAILED_PRECONDITION;
import static com.google.rpc.Code.INVALID_ARGUMENT;
import static com.google.rpc.Code.NOT_FOUND;
import static com.google.rpc.Code.OK;
import static dev.syncguard.firestore.server.validity.ValidityRow.rest;

import java.util.List;

/** Lists, single documents, transactions, and the forms of REST. */
final class RequestRows {
  private static final String QUERY = "{'structuredQuery':{'from':[{'collectionId':'there'}]},";

  private RequestRows() {}

  static List<ValidityRow> lists() {
    return List.of(
        rest("a collection", "GET", "/there", "", OK, "finds d"),
        rest("all collections below the root", "GET", "/", "", OK, ""),
        rest(
            "a negative page size",
            "GET",
            "/there?pageSize=-1",
            "",
            INVALID_ARGUMENT,
            "Page size must be nonnegative."),
        rest(
                "a page size that is no number",
                "GET",
                "/there?pageSize=abc",
                "",
                INVALID_ARGUMENT,
                "")
            .emulator("does not answer"),
        rest(
            "missing documents of all collections",
            "GET",
            "/?showMissing=true",
            "",
            INVALID_ARGUMENT,
            "collection id must be set when show_missing is true"),
        rest("missing documents", "GET", "/above?showMissing=true", "", OK, "finds missing"),
        rest(
            "missing documents in order",
            "GET",
            "/above?showMissing=true&orderBy=a",
            "",
            INVALID_ARGUMENT,
            ""),
        rest(
            "a collection with a slash behind it",
            "GET",
            "/there/",
            "",
            INVALID_ARGUMENT,
            "Document name \"@/there/\" has invalid trailing \"/\"."),
        rest("backwards by name", "GET", "/there?orderBy=__name__%20desc", "", OK, "finds d")
            .emulator("FAILED_PRECONDITION"),
        rest(
            "collection ids, a negative page size",
            "POST",
            ":listCollectionIds",
            "{'pageSize':-1}",
            INVALID_ARGUMENT,
            "page_size must be greater than or equal to zero."),
        rest(
            "collection ids below a collection",
            "POST",
            "/there:listCollectionIds",
            "{}",
            INVALID_ARGUMENT,
            ""));
  }

  static List<ValidityRow> documents() {
    return List.of(
        rest(
            "a document that is missing",
            "GET",
            "/there/none",
            "",
            NOT_FOUND,
            "Document (@/there/none) not found."),
        rest("creating what exists", "POST", "/there?documentId=d", "{}", ALREADY_EXISTS, ""),
        rest(
                "updating what is missing",
                "PATCH",
                "/there/none?currentDocument.exists=true",
                "{}",
                NOT_FOUND,
                "No document to update: @/there/none")
            .emulator("the same status, other words"),
        rest(
                "creating what exists, in a commit",
                "POST",
                ":commit",
                "{'writes':[{'update':{'name':'@/there/d'},'currentDocument':{'exists':false}}]}",
                ALREADY_EXISTS,
                "Document already exists: @/there/d")
            .emulator("the same status, other words"),
        rest(
            "a stale update time",
            "POST",
            ":commit",
            "{'writes':[{'delete':'@/there/d','currentDocument':{'updateTime':'2020-01-01T00:00:00Z'}}]}",
            FAILED_PRECONDITION,
            "the stored version ("),
        rest("a body that is no JSON", "PATCH", "/there/new", "{", INVALID_ARGUMENT, ""),
        rest("an unknown field", "PATCH", "/there/new", "{'x':1}", INVALID_ARGUMENT, ""),
        rest(
            "a field of another type", "PATCH", "/there/new", "{'fields':1}", INVALID_ARGUMENT, ""),
        rest("unknown parameters", "GET", "/there/d?key=x&alt=json&prettyPrint=false", "", OK, ""),
        rest(
            "a batch with a document twice",
            "POST",
            ":batchWrite",
            "{'writes':[{'delete':'@/there/x'},{'delete':'@/there/x'}]}",
            INVALID_ARGUMENT,
            "the same document cannot be written more than once in a single request"),
        rest(
                "partitions",
                "POST",
                ":partitionQuery",
                "{'structuredQuery':{'from':[{'collectionId':'there','allDescendants':true}],"
                    + "'orderBy':[{'field':{'fieldPath':'__name__'}}]},'partitionCount':'2'}",
                OK,
                "")
            .emulator("UNIMPLEMENTED"),
        rest(
            "a pipeline",
            "POST",
            ":executePipeline",
            "{'structuredPipeline':{'pipeline':{}}}",
            INVALID_ARGUMENT,
            "ExecutePipeline requires the Database Edition to be `enterprise`."));
  }

  static List<ValidityRow> transactions() {
    return List.of(
        rest(
            "a malformed id",
            "POST",
            ":commit",
            "{'transaction':'eHg='}",
            INVALID_ARGUMENT,
            "Invalid transaction."),
        rest(
            "a commit of one that is finished",
            "POST",
            ":commit",
            "{'transaction':'{finished}'}",
            ABORTED,
            "The referenced transaction has expired or is no longer valid."),
        rest(
            "a read of one that is finished",
            "POST",
            ":batchGet",
            "{'documents':['@/there/d'],'transaction':'{finished}'}",
            ABORTED,
            "The referenced transaction has expired or is no longer valid."),
        rest(
            "a roll-back of one that is finished",
            "POST",
            ":rollback",
            "{'transaction':'{finished}'}",
            OK,
            ""),
        rest(
            "a write in one that only reads",
            "POST",
            ":commit",
            "{'writes':[{'delete':'@/there/x'}],'transaction':'{readOnly}'}",
            INVALID_ARGUMENT,
            "Cannot modify entities in a read-only transaction."),
        rest(
            "a read in one",
            "POST",
            ":runQuery",
            QUERY + "'transaction':'{readWrite}'}",
            OK,
            "finds d"),
        rest(
            "a read of 1970",
            "POST",
            ":runQuery",
            QUERY + "'readTime':'1970-01-02T00:00:00Z'}",
            FAILED_PRECONDITION,
            "The requested 'read_time' is too old."),
        rest(
            "a read of 2100",
            "POST",
            ":runQuery",
            QUERY + "'readTime':'2100-01-01T00:00:00Z'}",
            INVALID_ARGUMENT,
            "The requested 'read_time' cannot be in the future."));
  }
}
