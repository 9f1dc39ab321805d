/*
 * A trace of the seeded simulation of the library (StoreTrace in lock's tests) must be a way through store.pml: each request gets
 * the answer that the model gives, and no lease promises more than the model granted. A trace includes this file and calls
 * the inlines below, one after another, in milliseconds.
 */

#define TIME int
#define TOLERANCE 1000
#define TAKEN_FOR_DEAD 2000000  /* in microseconds */

#include "store.pml"

hidden byte each;

/* The store's clock counts milliseconds; who was not heard of is judged more finely. */
inline pass(millis, micros) {
  left = left - millis;
  each = 0;
  do
  :: each < waiting -> unseen[line[each]] = unseen[line[each]] + micros; each++
  :: else -> break
  od
}

inline granted(token, millis) {
  assert(answer == GRANTED && fence == token && left == millis)
}

inline answered(what) {
  assert(answer == what)
}

inline promises(id, millis) {
  assert(live && holder == id && millis <= left)
}
