/** The engine on a JVM: files instead of browser storage, {@code java.net.http} instead of {@code GM_xmlhttpRequest}. */
@NullMarked
package dev.syncguard.sync.jvm;

import org.jspecify.annotations.NullMarked;
