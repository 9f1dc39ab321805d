package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.Int32Value;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.query.MergedDocuments;
import dev.syncguard.firestore.server.query.Query;
import dev.syncguard.firestore.server.query.QueryRun;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.transaction.Reading;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists the documents of one collection page by page. Thread-safe. */
public final class DocumentLists {
  private static final int DEFAULT_PAGE = 300;
  private static final int MAX_PAGE = 10_000;
  /** Clients take messages of 4 MiB unless they are told otherwise. */
  private static final long MAX_PAGE_BYTES = 7L << 19;

  private final Databases databases;
  private final Gatekeeper gatekeeper;
  private final IndexCheck indexes;

  /** @param indexes what an order is checked against */
  public DocumentLists(Databases databases, Gatekeeper gatekeeper, IndexCheck indexes) {
    this.databases = databases;
    this.gatekeeper = gatekeeper;
    this.indexes = indexes;
  }

  /** Returns the documents of a collection, page by page. */
  public ListDocumentsResponse list(AuthContext who, ListDocumentsRequest request) {
    if (request.getPageSize() < 0) {
      throw FirestoreServerException.invalid("Page size must be nonnegative.");
    }
    ParentName parent = ParentName.parse(request.getParent());
    if (request.getShowMissing() && request.getCollectionId().isEmpty()) {
      throw FirestoreServerException.invalid("collection id must be set when show_missing is true");
    }
    Served served = databases.get(parent.database());
    Reading reading = switch (request.getConsistencySelectorCase()) {
      case TRANSACTION -> served.transactions().reading(request.getTransaction());
      case READ_TIME -> gatekeeper.past(who, parent.database(), request.getReadTime());
      case CONSISTENCYSELECTOR_NOT_SET -> Reading.latest();
    };
    if (request.getShowMissing()) {
      gatekeeper.checkAdministration(who, parent.database(), "Metadata operations");
    }
    reading.willQuery(request.getCollectionId());
    return reading.in(
        served.database(),
        snapshot -> request.getShowMissing()
            ? listWithMissing(parent, request, snapshot)
            : listOrdered(who, parent, request, snapshot));
  }

  private ListDocumentsResponse listOrdered(
      AuthContext who, ParentName parent, ListDocumentsRequest request, Snapshot snapshot) {
    int size = pageSize(request);
    StructuredQuery.Builder query = StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setCollectionId(request.getCollectionId()))
        .setLimit(Int32Value.of(size + 1));
    orderBy(request.getOrderBy(), query);
    StructuredQuery asked = asked(query, request.getPageSize());
    orderByName(query);
    if (!request.getPageToken().isEmpty()) {
      query.setStartAt(cursor(request.getPageToken()));
    }
    Query valid = Query.of(parent, query.build());
    indexes.check(valid);
    gatekeeper.checkFind(who, parent, asked, snapshot);
    return answer(
        request, new QueryRun(valid, snapshot), "", last -> token(valid.positionAfter(last)));
  }

  /**
   * Answers with as many documents as make a page, and a token if there are more.
   *
   * @param before the name of a document that was on the page before
   */
  private static ListDocumentsResponse answer(
      ListDocumentsRequest request,
      Iterator<Document> documents,
      String before,
      Function<Document, String> token) {
    ListDocumentsResponse.Builder response = ListDocumentsResponse.newBuilder();
    Document last = null;
    long bytes = 0;
    while (documents.hasNext()) {
      Document document = documents.next();
      if (document.getName().equals(before)) {
        continue;
      }
      bytes += document.getSerializedSize();
      if (last != null
          && (response.getDocumentsCount() == pageSize(request) || bytes > MAX_PAGE_BYTES)) {
        return response.setNextPageToken(token.apply(last)).build();
      }
      last = document;
      response.addDocuments(DocumentReads.masked(document, request.hasMask(), request.getMask()));
    }
    return response.build();
  }

  /** Returns the query that rules see: it is limited only if the client has said so, and we look for one document more. */
  private static StructuredQuery asked(StructuredQuery.Builder query, int pageSize) {
    return pageSize == 0
        ? query.clone().clearLimit().build()
        : query.clone().setLimit(Int32Value.of(pageSize)).build();
  }

  private static ListDocumentsResponse listWithMissing(
      ParentName parent, ListDocumentsRequest request, Snapshot snapshot) {
    if (!request.getOrderBy().isEmpty()) {
      throw FirestoreServerException.invalid("show_missing cannot be combined with order_by.");
    }
    String path = parent.collectionPath(request.getCollectionId());
    String prefix = parent.database().documents() + "/" + path + "/";
    String after = afterId(request.getPageToken(), prefix);
    CollectionView collection = snapshot.collection(path);
    Comparator<Document> byName = Comparator.comparing(Document::getName, PathOrder.INSTANCE);
    List<Document> others = new ArrayList<>();
    collection.rewound().forEachRemaining(document -> {
      if (after == null || PathOrder.comparePaths(document.getName(), prefix + after) > 0) {
        others.add(document);
      }
    });
    for (String id : snapshot.missingDocuments(path, after, pageSize(request) + 1)) {
      others.add(Document.newBuilder().setName(prefix + id).build());
    }
    others.sort(byName);
    Iterator<Document> all = new MergedDocuments(
        List.of(collection.byName(after, null, false), others.iterator()), byName);
    return answer(request, all, prefix + after, last -> Page.encode(last.getName()));
  }

  /** Returns the id of the last document of the page before, or null if there was none. */
  private static @Nullable String afterId(String token, String prefix) {
    if (token.isEmpty()) {
      return null;
    }
    String name = Page.decode(token);
    if (!name.startsWith(prefix) || name.indexOf('/', prefix.length()) >= 0) {
      throw FirestoreServerException.invalid("Invalid page token.");
    }
    return name.substring(prefix.length());
  }

  private static int pageSize(ListDocumentsRequest request) {
    return request.getPageSize() == 0 ? DEFAULT_PAGE : Math.min(request.getPageSize(), MAX_PAGE);
  }

  // "a desc, b" as in a query string.
  private static void orderBy(String text, StructuredQuery.Builder query) {
    if (text.isBlank()) {
      return;
    }
    for (String part : text.split(",", -1)) {
      String[] words = part.strip().split("\\s+", -1);
      if (words.length > 2 || (words.length == 2 && !words[1].matches("(?i)asc|desc"))) {
        throw FirestoreServerException.invalid("Invalid order_by: it must be like \"a, b desc\".");
      }
      boolean descending = words.length == 2 && words[1].equalsIgnoreCase("desc");
      query.addOrderBy(StructuredQuery.Order.newBuilder()
          .setField(StructuredQuery.FieldReference.newBuilder().setFieldPath(words[0]))
          .setDirection(descending ? Direction.DESCENDING : Direction.ASCENDING));
    }
  }

  // A position needs a value for every order, so the name, which is always the last, must be said.
  private static void orderByName(StructuredQuery.Builder query) {
    List<StructuredQuery.Order> orders = query.getOrderByList();
    boolean descending =
        !orders.isEmpty() && orders.get(orders.size() - 1).getDirection() == Direction.DESCENDING;
    if (orders.stream()
        .noneMatch(order -> FieldPath.parse(order.getField().getFieldPath()).isName())) {
      query.addOrderBy(StructuredQuery.Order.newBuilder()
          .setField(
              StructuredQuery.FieldReference.newBuilder().setFieldPath(FieldPath.NAME.canonical()))
          .setDirection(descending ? Direction.DESCENDING : Direction.ASCENDING));
    }
  }

  private static String token(List<Value> position) {
    byte[] cursor = Cursor.newBuilder().addAllValues(position).build().toByteArray();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(cursor);
  }

  private static Cursor cursor(String token) {
    try {
      return Cursor.parseFrom(ByteString.copyFrom(Base64.getUrlDecoder().decode(token)));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw FirestoreServerException.invalid("Invalid page token.");
    }
  }
}
