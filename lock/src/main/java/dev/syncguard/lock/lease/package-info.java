/** The life of one lease, from the request to what is left behind at the store. Machinery: not exported. */
@NullMarked
package dev.syncguard.lock.lease;

import org.jspecify.annotations.NullMarked;
