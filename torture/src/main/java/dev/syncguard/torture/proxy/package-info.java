/** A network between a client and its store that does harm when told to. */
@NullMarked
package dev.syncguard.torture.proxy;

import org.jspecify.annotations.NullMarked;
