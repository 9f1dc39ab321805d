/** Locks in a Spring Boot application: {@link dev.syncguard.lock.springboot.Locked} methods and what they hold. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.lock.springboot;
