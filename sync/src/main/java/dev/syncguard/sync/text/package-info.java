/**
 * JSON, moments and hashes, written anew because what the JDK has would be a large part of the compiled script. Knows
 * nothing of sync.
 */
@NullMarked
package dev.syncguard.sync.text;

import org.jspecify.annotations.NullMarked;
