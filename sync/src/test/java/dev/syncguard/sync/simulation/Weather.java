package dev.syncguard.sync.simulation;

/**
 * How bad the network is.
 *
 * @param trouble how likely something goes wrong with a request
 * @param slowness the usual delay of one way, in milliseconds
 */
record Weather(double trouble, int slowness) {
  static final Weather FAIR = new Weather(0, 80);
}
