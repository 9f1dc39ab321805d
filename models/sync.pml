/*
 * Reader sync in all its states: devices, one of them with two tabs, share one document by compare-and-set. Answers and
 * commits get lost or arrive late, marks are made and resets happen at any moment, and a reset that did not arrive is replayed.
 *
 * A tab stands for Session with its PullRun, PushRun and ResetRun; a device for DeviceState behind LocalStore.commit, which
 * refuses work whose Ticket no longer fits. Of the three fields of a reader's state it has the read marks, one bit each: the others
 * follow the same epochs. The choices are those of Decisions.
 *
 * What must hold: epochs never fall; and when nobody has anything left to do, which must come about, all are equal, no mark is
 * missing that no reset can have meant, and none is there that a reset has removed. models/check names a mutation for each.
 *
 * A reset empties its device before it writes the document. The other way round (REMOTE_FIRST), with two tabs and two resets of
 * which the first was begun without a connection, marks from between them come back: another tab replays the first reset while
 * the second is on its way back.
 */

#define DEVICES 2
#define TABS 3
#define device_of(tab) (tab == 3 -> 2 : 1)
#ifndef RESETS
#define RESETS 2
#endif
#ifndef FAILURES
#define FAILURES 2
#endif
#define NONE 0
#ifndef NUMBER
#define NUMBER byte
#endif

mtype = { IDLE, PULL, PUSH, RESET, REPLAY };                 /* what a tab does */
mtype = { NOTHING, READ, WRITE, DOCUMENT, STORED, CONFLICT };  /* what it has sent or got */

typedef Document {
  NUMBER version;    /* none: there is no document */
  NUMBER epoch;
  NUMBER marks;
};

typedef Device {
  NUMBER epoch;
  NUMBER marks;
  byte changes;      /* how many were made */
  bool dirty;        /* whether any of them is not confirmed */
  byte resetId;
  bool pending;      /* whether a reset has yet to reach the document, */
  byte target;       /* in which epoch, */
  bool sawRemote;    /* and whether that was chosen in view of the document */
  NUMBER seen;       /* the version that was merged last */
};

typedef Tab {
  mtype doing;
  mtype message;
  NUMBER epoch;      /* its ticket */
  byte resetId;
  bool pending;
  bool emptied;      /* whether its reset has emptied the device */
  byte changes;      /* of the device, that its commit covers */
  NUMBER version;      /* the document as it read it, */
  NUMBER remoteEpoch;
  NUMBER remoteMarks;
  NUMBER newEpoch;     /* and as it writes it */
  NUMBER newMarks;
};

Document document;
Device devices[DEVICES + 1];
Tab tabs[TABS + 1];
Document late;       /* a commit of which nobody knows, that may yet arrive: on this version, with this content */
byte resets;
bool marked[DEVICES + 1];
bool safe[DEVICES + 1];     /* whether no reset can have meant this mark: its device knew of all, and none came since */
bool removed[DEVICES + 1];  /* whether one did */
byte failures;

#define t tabs[tab]
#define d devices[device_of(tab)]
#define mark_of(device) (device == 1 -> 1 : 2)
#define larger(x, y) (x > y -> x : y)
#define fits (t.resetId == d.resetId && t.pending == d.pending && t.epoch == d.epoch)

#define at_rest(x) (tabs[x].doing == IDLE)
#define up_to_date(x) (!devices[x].dirty && !devices[x].pending && devices[x].seen == document.version)
#define resetting(x) (tabs[x].doing == RESET)
#define over (at_rest(1) && at_rest(2) && at_rest(3) && late.version == NONE && up_to_date(1) && up_to_date(2))

#ifndef TRACE
/* Nobody can do anything any more. */
proctype Judge() {
  timeout ->
    assert(over);
    assert(devices[1].marks == document.marks && devices[2].marks == document.marks);   /* all are equal */
    assert(devices[1].epoch == document.epoch && devices[2].epoch == document.epoch);
    assert(!safe[1] || (document.marks & 1));                                            /* nothing is lost */
    assert(!safe[2] || (document.marks & 2));
    assert(!removed[1] || !(document.marks & 1));                                        /* nothing is brought back */
    assert(!removed[2] || !(document.marks & 2))
}
#endif

inline raise(known, heard) {
  known = larger(known, heard)
}

inline begin(what) {
  t.doing = what;
  t.message = READ;
  t.epoch = d.epoch;
  t.resetId = d.resetId;
  t.pending = d.pending
}

inline finish() {
  t.doing = IDLE;
  t.message = NOTHING;
  t.epoch = 0; t.resetId = 0; t.pending = false; t.emptied = false; t.changes = 0;
  t.version = 0; t.remoteEpoch = 0; t.remoteMarks = 0; t.newEpoch = 0; t.newMarks = 0
}

/* A side that has not seen the last clearing contributes nothing; the rest is united. */
inline merge() {
  t.newEpoch = larger(d.epoch, t.remoteEpoch);
#if defined(OLD_EPOCHS_SURVIVE)
  t.newMarks = d.marks | t.remoteMarks;
#elif defined(THE_DOCUMENT_WINS)
  t.newMarks = (t.version == NONE -> d.marks : t.remoteMarks);
#else
  t.newMarks = (d.epoch == t.newEpoch -> d.marks : 0) | (t.remoteEpoch == t.newEpoch -> t.remoteMarks : 0);
#endif
  d.dirty = (d.dirty && d.epoch == t.newEpoch);
#ifndef EPOCHS_ARE_NOT_TAKEN
  d.epoch = t.newEpoch;
#endif
  d.marks = t.newMarks;
  d.seen = t.version;
  /* What the document lacks is pushed. */
  if
  :: t.newMarks != t.remoteMarks || t.newEpoch != t.remoteEpoch -> d.dirty = true
  :: else
  fi
}

/* The device is cleared although the document could not be. */
inline postpone(chosen) {
  d.epoch = (chosen == 0 -> d.epoch + 1 : larger(chosen, d.epoch));
  d.marks = 0;
  d.changes++;
  d.dirty = true;
  d.pending = true;
  d.target = d.epoch;
  d.sawRemote = (chosen != 0);
  d.resetId++
}

inline forgetPending() {
  d.pending = false;
  d.target = 0;
  d.sawRemote = false
}

inline gotDocument() {
  if
  :: t.doing == PULL ->
    if
    :: fits -> merge()
    :: else
    fi;
    finish()
  :: t.doing == PUSH ->
    if
    :: fits ->
      merge();
      t.epoch = d.epoch;
      t.changes = d.changes;
      if
      :: !d.dirty -> finish()
      :: else -> t.message = WRITE
      fi
    :: else -> finish()
    fi
  :: t.doing == RESET && !t.emptied ->
    /* The device comes first: whatever another tab does from now on, it does after the reset. */
    t.newEpoch = larger(t.newEpoch, larger(d.epoch, t.remoteEpoch) + 1);
#ifndef REMOTE_FIRST
    postpone(t.newEpoch);
    begin(RESET);
    t.emptied = true;
    t.changes = d.changes;
#endif
    t.newMarks = 0;
    t.message = WRITE
  :: t.doing == RESET && t.emptied ->
    if
    :: !fits -> finish()
    :: fits && t.remoteEpoch >= d.target -> forgetPending(); finish()
    :: else -> t.newEpoch = d.target; t.newMarks = 0; t.message = WRITE
    fi
  :: t.doing == REPLAY ->
    if
    :: t.resetId != d.resetId || !d.pending -> finish()
    :: t.resetId == d.resetId && d.pending && d.sawRemote && t.remoteEpoch >= d.target ->
      if
      :: fits -> forgetPending()
      :: else
      fi;
      finish()
    :: else -> t.newEpoch = larger(d.target, t.remoteEpoch); t.newMarks = 0; t.message = WRITE
    fi
  fi
}

inline gotStored() {
  if
  :: t.doing == PUSH ->
    if
#ifdef ANY_COMMIT_CONFIRMS
    :: fits -> d.dirty = false; d.seen = t.version
#else
    :: fits -> d.dirty = (d.changes != t.changes); d.seen = t.version
#endif
    :: else
    fi
  :: t.doing == RESET ->
#ifdef REMOTE_FIRST
    raise(d.epoch, t.newEpoch);
    d.marks = 0;
    d.dirty = false;
    d.seen = t.version;
    if
    :: t.resetId == d.resetId -> d.resetId++; forgetPending()
    :: else
    fi
#else
    if
    :: fits -> d.dirty = (d.changes != t.changes); d.seen = t.version; forgetPending()
    :: else
    fi
#endif
  :: t.doing == REPLAY ->
    if
    :: fits -> raise(d.epoch, t.newEpoch); d.seen = t.version; forgetPending()
    :: else
    fi
  fi;
  finish()
}

/* The request was lost, or its answer was, or it is a commit that is still on its way. */
inline fail() {
  if
  :: t.message == WRITE && late.version == NONE && t.version != NONE ->
    late.version = t.version; late.epoch = t.newEpoch; late.marks = t.newMarks
  :: true
  fi;
  if
  :: t.doing == RESET && !t.emptied && t.message == READ -> postpone(0)
  :: t.doing == RESET && !t.emptied && t.message != READ -> postpone(t.newEpoch)
  :: else
  fi;
  finish()
}

inline store(itsEpoch, itsMarks) {
  assert(itsEpoch >= document.epoch);                                                    /* epochs never fall */
  document.version++;
  document.epoch = itsEpoch;
  document.marks = itsMarks
}

inline arrive() {
  if
  :: t.message == READ ->
    t.version = document.version;
    t.remoteEpoch = document.epoch;
    t.remoteMarks = document.marks;
    t.message = DOCUMENT
#ifdef COMMITS_HAVE_NO_CONDITION
  :: t.message == WRITE ->
#else
  :: t.message == WRITE && t.version != document.version -> t.message = CONFLICT
  :: t.message == WRITE && t.version == document.version ->
#endif
    store(t.newEpoch, t.newMarks);
    t.version = document.version;
    t.message = STORED
  fi
}

inline mark() {
  d.marks = d.marks | mark_of(device_of(tab));
  d.changes++;
  d.dirty = true;
  marked[device_of(tab)] = true;
  safe[device_of(tab)] = d.epoch == document.epoch && !devices[1].pending && !devices[2].pending && !resetting(1) && !resetting(2) && !resetting(3)
}

inline beginReset() {
  safe[1] = false;
  safe[2] = false;
  removed[1] = removed[1] || (d.marks & 1);
  removed[2] = removed[2] || (d.marks & 2);
  resets++;
  begin(RESET)
}

#ifndef TRACE
proctype Browser(byte tab) {
  do
  /* The reader. */
  :: d_step { !marked[device_of(tab)] && t.doing == IDLE && !resetting(1) && !resetting(2) -> mark() }
  :: d_step { resets < RESETS && t.doing == IDLE -> beginReset() }

  /* What is due. */
#ifndef NOBODY_REPLAYS
  :: d_step { t.doing == IDLE && d.pending -> begin(REPLAY) }
#endif
  :: d_step { t.doing == IDLE && !d.pending && d.dirty -> begin(PUSH) }
  :: d_step { t.doing == IDLE && !d.pending && !d.dirty && d.seen != document.version -> begin(PULL) }

  /* The network. */
  :: d_step { t.message == READ || t.message == WRITE -> arrive() }
  :: atomic { t.message == DOCUMENT -> gotDocument() }
  :: atomic { t.message == STORED -> gotStored() }
  :: atomic { t.message == CONFLICT && t.doing == RESET -> t.message = READ }
  :: atomic { t.message == CONFLICT && t.doing != RESET -> finish() }
  :: atomic { t.doing != IDLE && failures < FAILURES -> failures++; fail() }
  od
}

/* A commit that was given up for lost arrives. */
proctype LateCommit() {
  do
  :: atomic { late.version != NONE ->
      if
#ifdef COMMITS_HAVE_NO_CONDITION
      :: true -> store(late.epoch, late.marks)
#else
      :: late.version == document.version -> store(late.epoch, late.marks)
      :: else
#endif
      :: true
      fi;
      late.version = NONE; late.epoch = 0; late.marks = 0 }
  od
}

init {
  atomic {
    byte x = 1;
    do
    :: x <= TABS -> tabs[x].doing = IDLE; tabs[x].message = NOTHING;
#ifdef ONE_TAB
      if :: x != 2 -> run Browser(x) :: else fi;
#else
      run Browser(x);
#endif
      x++
    :: else -> x = 0; break
    od;
    run LateCommit();
    run Judge()
  }
}
#endif
