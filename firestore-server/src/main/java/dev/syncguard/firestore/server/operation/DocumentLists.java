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
import dev.syncguard.firestore.server.query.Query;
import dev.syncguard.firestore.server.query.QueryRun;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.Scan;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.transaction.Reading;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
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
    List<Document> found = QueryRun.run(valid, snapshot).documents();
    ListDocumentsResponse.Builder response = ListDocumentsResponse.newBuilder();
    int count = fitting(found, size);
    for (Document document : found.subList(0, count)) {
      response.addDocuments(DocumentReads.masked(document, request.hasMask(), request.getMask()));
    }
    if (found.size() > count) {
      response.setNextPageToken(token(valid.positionAfter(found.get(count - 1))));
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
    int wanted =
        pageSize(request) + 2; // the one before the page, and one to tell that there are more
    List<Document> documents = new ArrayList<>();
    CollectionView collection = snapshot.collection(path);
    Scan scan = collection.byName(after, null, false);
    while (documents.size() < wanted && scan.hasNext()) {
      documents.add(scan.next());
    }
    documents.addAll(collection.rewound());
    for (String id : snapshot.missingDocuments(path, after, wanted)) {
      documents.add(Document.newBuilder().setName(prefix + id).build());
    }
    documents.sort(Comparator.comparing(Document::getName, PathOrder.INSTANCE));
    Page<Document> page = Page.of(
            documents,
            pageSize(request),
            request.getPageToken(),
            Document::getName,
            PathOrder.INSTANCE)
        .first(items -> fitting(items, items.size()), Document::getName);
    ListDocumentsResponse.Builder response =
        ListDocumentsResponse.newBuilder().setNextPageToken(page.nextToken());
    page.items()
        .forEach(document -> response.addDocuments(
            DocumentReads.masked(document, request.hasMask(), request.getMask())));
    return response.build();
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

  /** Returns how many of the first documents make a page: as many as asked for, but no more than clients take at once. */
  private static int fitting(List<Document> documents, int size) {
    long bytes = 0;
    int count = 0;
    while (count < Math.min(size, documents.size())
        && (count == 0 || bytes + documents.get(count).getSerializedSize() <= MAX_PAGE_BYTES)) {
      bytes += documents.get(count).getSerializedSize();
      count++;
    }
    return count;
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
