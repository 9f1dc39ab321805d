/** A seeded world of devices, tabs, readers, a bad network and our own server, in which sync must keep its promises. */
@NullMarked
package dev.syncguard.sync.simulation;

import org.jspecify.annotations.NullMarked;
