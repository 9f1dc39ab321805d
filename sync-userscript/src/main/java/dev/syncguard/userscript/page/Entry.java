package dev.syncguard.userscript.page;

import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSObject;
import org.teavm.jso.JSProperty;

/** A post, a comment or a user in an answer of the forum. What it is decides which properties are there. */
interface Entry extends JSObject {

  @JSProperty("_id")
  String getId();

  @JSProperty
  String getPostedAt();

  @JSProperty
  double getBaseScore();

  @JSProperty
  @Nullable
  String getHtmlBody();

  @JSProperty
  @Nullable
  String getPageUrl();

  @JSProperty
  @Nullable
  String getTitle();

  @JSProperty
  @Nullable
  String getAuthor();

  @JSProperty
  @Nullable
  String getPostId();

  @JSProperty
  @Nullable
  String getParentCommentId();

  @JSProperty
  @Nullable
  Entry getUser();

  @JSProperty
  @Nullable
  Entry getPost();

  @JSProperty
  @Nullable
  String getUsername();

  @JSProperty
  @Nullable
  String getDisplayName();
}
