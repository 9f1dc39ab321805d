/** What was seen of a store under torture, and the judge over it. All of it is values and functions of them. */
@NullMarked
package dev.syncguard.torture.history;

import org.jspecify.annotations.NullMarked;
