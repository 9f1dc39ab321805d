package dev.syncguard.firestore.server.validity;

import static com.google.rpc.Code.INVALID_ARGUMENT;
import static dev.syncguard.firestore.server.query.QueryDsl.asc;
import static dev.syncguard.firestore.server.query.QueryDsl.at;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;
import static dev.syncguard.firestore.server.query.QueryDsl.field;
import static dev.syncguard.firestore.server.query.QueryDsl.nearest;
import static dev.syncguard.firestore.server.validity.ValidityRow.accepted;
import static dev.syncguard.firestore.server.validity.ValidityRow.aggregation;
import static dev.syncguard.firestore.server.validity.ValidityRow.refused;

import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery.FindNearest;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Int64Value;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.value.Values;
import java.util.Collections;
import java.util.List;

/** Which vector searches and aggregations there are. */
final class SearchRows {
  private static final String UNSET = "Cannot convert firestore.v1.Value with type unset.";
  private static final String NEIGHBOURS =
      "FindNearest.limit must be a positive integer of no more than 1000";

  private SearchRows() {}

  static List<ValidityRow> neighbours() {
    Value vector = Values.vector(1, 2);
    return List.of(
        accepted("neighbours", collection("c").setFindNearest(nearest("v", vector, 1000))),
        refused(
            "0 neighbours",
            collection("c").setFindNearest(nearest("v", vector, 0)),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "-1 neighbours",
            collection("c").setFindNearest(nearest("v", vector, -1)),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "1001 neighbours",
            collection("c").setFindNearest(nearest("v", vector, 1001)),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "no number of neighbours",
            collection("c").setFindNearest(nearest("v", vector, 1).clearLimit()),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "neighbours of a list",
            collection("c").setFindNearest(nearest("v", List.of(1.0), 1)),
            INVALID_ARGUMENT,
            "Query Value must be of type vector."),
        refused(
            "neighbours of nothing",
            collection("c").setFindNearest(nearest("v", Value.getDefaultInstance(), 1)),
            INVALID_ARGUMENT,
            UNSET),
        refused(
            "no measure",
            collection("c")
                .setFindNearest(nearest("v", vector, 1)
                    .setDistanceMeasure(FindNearest.DistanceMeasure.DISTANCE_MEASURE_UNSPECIFIED)),
            INVALID_ARGUMENT,
            "Unknown Distance Measure."),
        refused(
            "neighbours with a limit",
            collection("c").setLimit(Int32Value.of(1)).setFindNearest(nearest("v", vector, 1)),
            INVALID_ARGUMENT,
            "A query limit cannot be used with FindNearest"),
        refused(
            "neighbours with an offset",
            collection("c").setOffset(1).setFindNearest(nearest("v", vector, 1)),
            INVALID_ARGUMENT,
            "A query offset cannot be used with FindNearest"),
        refused(
            "neighbours with a cursor",
            collection("c")
                .addOrderBy(asc("a"))
                .setStartAt(at(1))
                .setFindNearest(nearest("v", vector, 1)),
            INVALID_ARGUMENT,
            "A cursor cannot be used with FindNearest"),
        refused(
            "a reserved field for the distance",
            collection("c").setFindNearest(nearest("v", vector, 1).setDistanceResultField("__x__")),
            INVALID_ARGUMENT,
            "The distanceResultField.property.name \"__x__\" is reserved."),
        refused(
            "a bad vector and a bad limit: the vector is looked at first",
            collection("c").setFindNearest(nearest("v", 1, 0)),
            INVALID_ARGUMENT,
            "Query Value must be of type vector."));
  }

  static List<ValidityRow> aggregations() {
    Aggregation count = Aggregation.newBuilder()
        .setCount(Aggregation.Count.getDefaultInstance())
        .build();
    return List.of(
        aggregation(
            "no aggregation", List.of(), INVALID_ARGUMENT, "Aggregations can not be empty."),
        aggregation("5 aggregations", Collections.nCopies(5, count), Code.OK, ""),
        aggregation(
            "6 aggregations",
            Collections.nCopies(6, count),
            INVALID_ARGUMENT,
            "The maximum number of aggregations allowed in an aggregation query is 5. Received: 6"),
        aggregation(
            "an alias twice",
            Collections.nCopies(2, count.toBuilder().setAlias("x").build()),
            INVALID_ARGUMENT,
            "Aggregation aliases contain duplicate alias: x."),
        aggregation(
            "a reserved alias",
            List.of(count.toBuilder().setAlias("__x__").build()),
            INVALID_ARGUMENT,
            "The property.name \"__x__\" is reserved."),
        aggregation(
            "the sum of the key",
            List.of(Aggregation.newBuilder()
                .setSum(Aggregation.Sum.newBuilder().setField(field("__name__")))
                .build()),
            INVALID_ARGUMENT,
            "Aggregations are not supported for the property: __key__"),
        aggregation(
            "no operator",
            List.of(Aggregation.getDefaultInstance()),
            INVALID_ARGUMENT,
            "Operator field in Aggregation is not set."),
        aggregation(
            "a count up to -1",
            List.of(countUpTo(-1)),
            INVALID_ARGUMENT,
            "The `up_to` value in a COUNT aggregation must be greater than"),
        aggregation(
                "a count up to 0",
                List.of(countUpTo(0)),
                INVALID_ARGUMENT,
                "The `up_to` value in a COUNT aggregation must be greater than")
            .emulator("OK, 0"),
        aggregation("a count up to 1", List.of(countUpTo(1)), Code.OK, ""));
  }

  private static Aggregation countUpTo(long most) {
    return Aggregation.newBuilder()
        .setCount(Aggregation.Count.newBuilder().setUpTo(Int64Value.of(most)))
        .build();
  }
}
