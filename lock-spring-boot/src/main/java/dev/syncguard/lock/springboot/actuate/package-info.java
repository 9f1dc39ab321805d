/** What Spring Boot's actuator tells about locks. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.lock.springboot.actuate;
