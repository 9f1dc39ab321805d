/** What queries say about the documents that they could find. */
@NullMarked
package dev.syncguard.rules.query;

import org.jspecify.annotations.NullMarked;
