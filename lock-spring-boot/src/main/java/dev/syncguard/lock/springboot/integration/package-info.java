/** SyncGuard's locks as those of Spring Integration. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.lock.springboot.integration;
