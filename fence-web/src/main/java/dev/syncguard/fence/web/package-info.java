/** Web services that refuse late holders: a servlet filter and, for Spring, an interceptor. */
@NullMarked
package dev.syncguard.fence.web;

import org.jspecify.annotations.NullMarked;
