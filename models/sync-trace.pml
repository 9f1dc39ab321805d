/*
 * A trace of the seeded simulation of reader sync (DocumentTrace in sync's tests) must be a way through sync.pml: each request for a document
 * gets the answer that the model gives, and what is written is what merging, or a reset, makes of what was there. A trace includes
 * this file and calls the inlines below, one after another. One tab stands for all: to the document they are alike.
 */

#define TRACE
#define NUMBER int

#include "sync.pml"

hidden byte tab = 1;

inline reads(itsVersion, itsEpoch, itsMarks) {
  begin(PULL);
  arrive();
  assert(t.version == itsVersion && t.remoteEpoch == itsEpoch && t.remoteMarks == itsMarks);
  finish()
}

/* The device has what it writes: merging that with the document once more must change nothing. A reset writes no marks. */
inline commits(onVersion, itsEpoch, itsMarks) {
  t.doing = PUSH;
  t.message = WRITE;
  t.version = onVersion;
  t.remoteEpoch = document.epoch;
  t.remoteMarks = document.marks;
  d.epoch = itsEpoch;
  d.marks = itsMarks;
  if
  :: itsMarks == 0 -> t.newEpoch = itsEpoch; t.newMarks = 0
  :: else -> merge()
  fi;
  assert(t.newEpoch == itsEpoch && t.newMarks == itsMarks);
  arrive();
  assert(t.message == STORED);
  finish()
}

inline conflicts(onVersion) {
  t.doing = PUSH;
  t.message = WRITE;
  t.version = onVersion;
  t.newEpoch = document.epoch;
  arrive();
  assert(t.message == CONFLICT);
  finish()
}

/* By somebody who keeps no rules. */
inline replaced(itsEpoch, itsMarks) {
  document.version++;
  document.epoch = itsEpoch;
  document.marks = itsMarks
}
