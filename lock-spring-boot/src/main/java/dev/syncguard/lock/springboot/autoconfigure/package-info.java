/** Makes {@link dev.syncguard.lock.Locks} from what a Spring Boot application already has. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.lock.springboot.autoconfigure;
