package dev.syncguard.sync.simulation;

/** Compares every commit with what readers have said, and with what the document held before. */
record CommitJudge(Scene scene) {

  /** More than anybody reads in a story. */
  private static final int MANY_MARKS = 1_000;

  /** The server has carried out a commit. */
  void committed(Traffic.Sent sent, Cloud.Written written) {
    Forum.Account account = scene.forum.owner(written.path());
    if (account == null
        || !written.path().startsWith("pr_sync_v1/" + sent.from().site.id() + "/")) {
      throw new Violation(
          "no data crosses sites", sent + " wrote to a node that it should not know");
    }
    Violation.unless(
        !scene.cloud.isNewer(written.path()),
        "what a newer version wrote is never overwritten",
        sent::toString);
    Violation.unless(
        !written.overNonsense() || sent.resets(),
        "what makes no sense is left alone until a reset",
        sent::toString);
    History history = scene.ledger.history(account);
    Contents before = written.before();
    Contents after = written.after();
    // Epochs that nobody can have reached are nobody's to go beyond.
    boolean absurd = written.overNonsense() && Forger.isAbsurd(before);
    for (Kind kind : Kind.values()) {
      Violation.unless(
          absurd || after.epoch(kind) >= before.epoch(kind),
          "epochs never regress",
          () -> sent + " went back in " + kind);
      Integer target = sent.resetTargets().get(kind);
      Violation.unless(
          absurd || target == null || after.epoch(kind) <= Math.max(before.epoch(kind), target),
          "a repeated reset goes no further",
          () -> sent + " went beyond " + target + " in " + kind);
      Violation.unless(
          absurd || !sent.isNewReset() || after.epoch(kind) > before.epoch(kind),
          "a reset begins a new epoch",
          () -> sent + " stayed in " + after.epoch(kind) + " of " + kind);
    }
    Violation.unless(
        absurd || after.loadFromVersion() >= before.loadFromVersion(),
        "versions never regress",
        sent::toString);
    Violation.unless(
        after.read().size() <= scene.rules.readCap()
            && after.authors().size() <= scene.rules.authorCap(),
        "caps hold",
        () -> after.toString());
    Violation.unless(
        sent.resets()
            || scene.rules.readCap() < MANY_MARKS
            || scene.forum.hasMoved(account)
            || after.readEpoch() <= Math.max(before.readEpoch(), history.readEpoch),
        "marks are cleared by a reset, or when they are too many",
        sent::toString);
    readMarks(sent, account, history, before, after);
    loadFrom(sent, account, history, before, after);
    authors(sent, account, history, before, after);
    history.add(after);
  }

  private void readMarks(
      Traffic.Sent sent, Forum.Account account, History history, Contents before, Contents after) {
    for (String id : after.read()) {
      if (!before.read().contains(id)) {
        Edit mark = scene.ledger.mark(id);
        if (mark == null) {
          throw new Violation("nothing is invented", id);
        }
        Violation.unless(
            mark.place.site() == account.site()
                && account.userId().equals(scene.ledger.owner(mark)),
            "no data crosses users or sites",
            () -> mark + " reached " + account);
        Violation.unless(
            scene.forum.hasMoved(account)
                || (!history.buried.contains(id) && mark.epoch >= after.readEpoch()),
            "nothing from before a clearing comes back",
            () -> sent + " brought back " + mark);
      }
    }
    if (after.readEpoch() > before.readEpoch()) {
      // A document that was behind its devices may hold what they have from after the clearing.
      for (String id : before.read()) {
        Edit mark = scene.ledger.mark(id);
        if (mark == null || mark.epoch < after.readEpoch()) {
          history.buried.add(id);
        }
      }
    } else {
      for (String id : before.read()) {
        if (!after.read().contains(id)) {
          Violation.unless(
              sent.resets(),
              "nothing that was acknowledged gets lost",
              () -> sent + " dropped " + id);
          history.shaken.add(id);
        }
      }
    }
  }

  private void loadFrom(
      Traffic.Sent sent, Forum.Account account, History history, Contents before, Contents after) {
    if (after.loadFromEpoch() == before.loadFromEpoch()
        && Edit.rank(after.loadFrom()) < Edit.rank(before.loadFrom())) {
      Violation.unless(
          sent.resets(),
          "nothing that was acknowledged gets lost",
          () -> sent + " turned the date back");
      history.loadFromShaken = true;
    }
    if (!after.loadFrom().isEmpty() && !after.loadFrom().equals(before.loadFrom())) {
      Violation.unless(
          scene.ledger.edits().stream()
              .anyMatch(edit -> edit.kind == Kind.LOAD_FROM
                  && edit.value.equals(after.loadFrom())
                  && edit.place.site() == account.site()
                  && account.userId().equals(scene.ledger.owner(edit))
                  && (scene.forum.hasMoved(account) || edit.epoch >= after.loadFromEpoch())),
          "nothing from before a clearing comes back",
          () -> sent + " wrote " + after.loadFrom());
    }
  }

  private void authors(
      Traffic.Sent sent, Forum.Account account, History history, Contents before, Contents after) {
    boolean cleared = after.authorsEpoch() > before.authorsEpoch();
    for (String author : before.authors().keySet()) {
      if (!cleared
          && !after.authors().containsKey(author)
          && scene.ledger.isStrictAboutAuthors(account)) {
        Violation.unless(
            sent.resets(),
            "nothing that was acknowledged gets lost",
            () -> sent + " dropped " + author);
        history.shaken.add(author);
      }
    }
    after.authors().forEach((author, v) -> {
      Integer there = cleared ? null : before.authors().get(author);
      if (!v.equals(there) && scene.ledger.isStrictAboutAuthors(account)) {
        boolean everywhere = there == null || scene.ledger.insistsOnEverything(sent);
        Violation.unless(
            scene.ledger.edits().stream()
                .anyMatch(edit -> justifies(edit, sent, account, author, v, after, everywhere)),
            "only a change that is not yet pushed replaces a preference",
            () -> sent + " set " + author + " from " + there + " to " + v);
      }
    });
  }

  private boolean justifies(
      Edit edit,
      Traffic.Sent sent,
      Forum.Account account,
      String author,
      int v,
      Contents after,
      boolean everywhere) {
    return edit.kind == Kind.AUTHORS
        && edit.key.equals(author)
        // A tab that died while it stored something may have marked what it had before as changed.
        && (edit.value.equals(String.valueOf(v)) || !edit.promised)
        && edit.epoch >= after.authorsEpoch()
        && edit.place.site() == account.site()
        && account.userId().equals(scene.ledger.owner(edit))
        // What the remote lacks may come from anybody; what it has is for those who changed it.
        && (everywhere
            || (edit.place.device() == sent.from().device
                && (Ledger.isLate(edit.place) || edit.settledAt > sent.step())));
  }
}
