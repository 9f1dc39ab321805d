/** SyncGuard's locks as those of ShedLock. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.lock.springboot.shedlock;
