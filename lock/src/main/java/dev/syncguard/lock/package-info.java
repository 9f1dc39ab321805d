/** What an application imports: {@link dev.syncguard.lock.Locks} hands out {@link dev.syncguard.lock.Lease leases}. */
@NullMarked
package dev.syncguard.lock;

import org.jspecify.annotations.NullMarked;
