package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery.FindNearest;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** The documents whose vectors lie closest to a given one, found by looking at each. */
final class NearestNeighbours {
  /** @param number tells which of those that are as close came first */
  private record Neighbour(Document document, double distance, long number) {}

  private NearestNeighbours() {}

  static List<Document> of(FindNearest query, Iterator<Document> candidates) {
    FieldPath field = FieldPath.parse(query.getVectorField().getFieldPath());
    double[] wanted = Vectors.numbers(query.getQueryVector());
    // With the dot product, more is closer.
    boolean descending = query.getDistanceMeasure() == FindNearest.DistanceMeasure.DOT_PRODUCT;
    Comparator<Neighbour> order = Comparator.comparingDouble(Neighbour::distance);
    Comparator<Neighbour> closestFirst =
        (descending ? order.reversed() : order).thenComparing(Neighbour::number);
    PriorityQueue<Neighbour> closest = new PriorityQueue<>(closestFirst.reversed());
    for (long number = 0; candidates.hasNext(); number++) {
      Document document = candidates.next();
      Value value = Fields.get(document.getFieldsMap(), field);
      if (value != null && Vectors.isVector(value)) {
        double[] vector = Vectors.numbers(value);
        if (vector.length == wanted.length) {
          double distance = distance(query.getDistanceMeasure(), vector, wanted);
          if (!query.hasDistanceThreshold()
              || isWithin(distance, query.getDistanceThreshold().getValue(), descending)) {
            closest.add(new Neighbour(document, distance, number));
          }
        }
      }
      if (closest.size() > query.getLimit().getValue()) {
        closest.remove();
      }
    }
    return closest.stream()
        .sorted(closestFirst)
        .map(neighbour -> withDistance(neighbour, query.getDistanceResultField()))
        .toList();
  }

  private static boolean isWithin(double distance, double threshold, boolean descending) {
    return descending ? distance >= threshold : distance <= threshold;
  }

  private static Document withDistance(Neighbour neighbour, String resultField) {
    if (resultField.isEmpty()) {
      return neighbour.document();
    }
    Value distance = Value.newBuilder().setDoubleValue(neighbour.distance()).build();
    return neighbour.document().toBuilder()
        .putAllFields(Fields.with(
            neighbour.document().getFieldsMap(), FieldPath.parse(resultField), distance))
        .build();
  }

  private static double distance(FindNearest.DistanceMeasure measure, double[] a, double[] b) {
    return switch (measure) {
      case EUCLIDEAN -> {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
          sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        yield Math.sqrt(sum);
      }
      case COSINE -> 1 - dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)));
      default -> dot(a, b);
    };
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
