/*
 * The lock protocol in all its states: a few lock ids want one key, over a network that loses and delays, on machines
 * that pause and die at any moment.
 *
 * An id stands for one LeaseLifecycle, with its waiter before (WaitingRoom) and the loop that tidies up after it
 * (PendingReleases). Nobody hurries here: time may pass between any two steps, which is a pause, and whoever never takes
 * another step has died.
 *
 *   WAITING --granted--> HELD --release--> ENDED
 *      |                  '-----lose-----> LOST --release--> ENDED
 *      '------------gives up-----------------------------> ENDED
 *
 * What must hold is asserted in check(), accept() and write(), and said in `progress`. models/check names for each of these
 * a mutation, which is a macro here or in store.pml, and sees that it is violated.
 */

#ifndef IDS
#define IDS 2
#endif
#define TTL 2             /* of a grant and of an extension */
#define TOLERANCE 1       /* Liveness.TIME_TOLERANCE_MS */
#define LATE 1            /* LeaseLifecycle.LATEST_ARRIVAL */
#define TAKEN_FOR_DEAD 1  /* MemoryLine.TAKEN_FOR_DEAD_NANOS */
#define OLD 2             /* older than this is all the same */
#ifndef REQUESTS
#define REQUESTS 2        /* how often an id asks for the key */
#endif
#ifndef EXTENSIONS
#define EXTENSIONS 1
#endif

#include "store.pml"

mtype = { NOTHING, ACQUIRE, TAKE_OVER, EXTEND, RELEASE };
mtype = { WAITING, HELD, LOST, ENDED };

typedef Life {
  mtype phase;
  mtype sent;         /* the request that is on its way, */
  mtype got;          /* or the answer to it */
  byte age;           /* how long ago it was sent */
  byte from;          /* whose lease it takes over */
  short given;        /* how much of the lease was left when the store answered */
  byte token;         /* the fence of the grant */
  short end;          /* how much longer the lease may be relied upon */
  bool lateAcquire;   /* requests of which we know nothing, that may yet arrive */
  byte lateFrom;
  bool lateExtend;
  bool unknown;       /* whether there ever was one that could take the key, */
  byte doubt;         /* and how much longer it may arrive */
  byte requests;
  byte extensions;
  bool over;          /* whether it was seen to be lost */
  bool pending;       /* whether the store has to be asked to release it, until it has answered */
  bool certain;       /* whether nothing could arrive any more when it was asked */
};

Life life[IDS + 1];
byte relied;          /* the highest fence that anybody relied on */
byte written;         /* the highest fence that the guarded resource has seen */

#define me life[id]
#define idle (me.sent == NOTHING && me.got == NOTHING)
#define held(x) (life[x].phase == HELD && life[x].end > 0)
/* 1 and 2 are threads of one process, 3 is another one. */
#define hasNeighbour(x) (x <= 2)
#define neighbour(x) (3 - x)
#define handsOver(x) (hasNeighbour(x) && life[neighbour(x)].from == x)

hidden byte each;

inline check() {
  each = 1;
  do
  :: each <= IDS ->
#ifndef ONLY_EXCLUSION
    assert(!held(each) || (holder == each && life[each].end <= left));     /* no lease promises more than was granted */
#endif
    assert(!held(each) || !life[each].over);                               /* lost is final */
    assert(life[each].phase != ENDED || life[each].pending || handsOver(each) ||
        !(live && holder == each));                                        /* who has gone leaves no ghost */
    each++
  :: else -> break
  od;
  assert(!(held(1) && held(2)))                                            /* two never rely on one key: follows from the first */
#if IDS > 2
  ; assert(!(held(1) && held(3)) && !(held(2) && held(3)))
#endif
}

/* The store acts and answers. */
inline arrive() {
  if
  :: me.sent == ACQUIRE -> attempt(id, TTL)
  :: me.sent == TAKE_OVER -> takeOver(me.from, id, TTL)
  :: me.sent == EXTEND -> extend(id, TTL)
  :: me.sent == RELEASE -> release(id)
  fi;
  me.sent = NOTHING;
  me.got = answer;
  if
  :: answer == GRANTED -> me.given = left; me.token = fence
  :: else
  fi
}

/* Whoever handed its lease over has nothing more to do, unless an old request of its own can take the key again. */
inline settlePredecessor(unknown) {
  if
  :: me.from != NOBODY -> life[me.from].pending = (unknown || life[me.from].doubt > 0); me.from = NOBODY
  :: else
  fi
}

inline accept() {
#ifdef COUNT_FROM_THE_ANSWER
  me.end = me.given;
#else
  me.end = me.given - me.age;
#endif
  if
  :: me.end > 0 ->
    me.phase = HELD;
    assert(me.token > relied);                                             /* fences rise */
    relied = me.token
  :: else -> endLife(); me.pending = true
  fi
}

inline endLife() {
  me.phase = ENDED;
  me.end = 0;
  me.token = 0;
  me.over = false
}

inline lose() {
  me.phase = LOST;
  me.over = true;
  me.end = 0
}

inline receive() {
  if
  :: me.got == GRANTED -> settlePredecessor(false); accept()
  :: me.got == REFUSED -> settlePredecessor(false)
#ifdef LOST_IS_NOT_FINAL
  :: me.got == EXTENDED && (me.phase == HELD || me.phase == LOST) -> me.phase = HELD; me.end = TTL - me.age
#else
  :: me.got == EXTENDED && held(id) -> me.end = TTL - me.age
  :: me.got == EXTENDED && me.phase == HELD && !held(id) -> lose(); me.pending = true
  :: me.got == EXTENDED && me.phase == LOST -> me.pending = true
#endif
  :: me.got == GONE && me.phase == HELD -> lose()
#ifdef ABSENT_IS_BELIEVED
  :: (me.got == RELEASED || me.got == GONE) && me.phase == ENDED -> me.pending = false
#else
  :: (me.got == RELEASED || me.got == GONE) && me.phase == ENDED -> me.pending = !me.certain
#endif
  :: else
  fi;
  forget()
}

inline forget() {
  me.sent = NOTHING;
  me.got = NOTHING;
  me.age = 0;
  me.given = 0;
  me.certain = false
}

/* No answer: the request was lost, or the answer was, or it is still on its way. */
inline fail() {
  if
  :: me.sent == ACQUIRE && me.age < LATE -> me.lateAcquire = true
  :: me.sent == TAKE_OVER && me.age < LATE -> me.lateFrom = me.from
  :: me.sent == EXTEND -> me.lateExtend = true
  :: true
  fi;
  if
  :: me.phase == WAITING -> me.unknown = true; me.doubt = LATE
  :: else
  fi;
  settlePredecessor(true);
  forget()
}

#ifdef PROGRESS
/* Whoever waits and goes on asking gets the key in the end, if messages arrive and the living go on; or gives up. */
ltl progress { [] (life[2].phase == WAITING -> <> (life[2].phase != WAITING)) }
#define quiet(x) (life[x].sent == NOTHING && life[x].got == NOTHING)
#define arrived (quiet(1) && quiet(2) && quiet(IDS))
#else
#define arrived true
#endif

/* A resource that checks fences. */
inline write() {
#ifdef NOBODY_CHECKS_FENCES
  assert(me.token >= written);                                             /* no write lands after one of a later holder */
  written = me.token
#else
  if
  :: me.token >= written -> written = me.token
  :: else
  fi;
  assert(written >= me.token)
#endif
}

proctype Id(byte id) {
  do
  /* Waiting. */
  :: atomic { me.phase == WAITING && idle && me.requests < REQUESTS -> me.sent = ACQUIRE; me.requests++; check() }
  :: atomic { me.phase == WAITING && idle -> d_step { leaveLine(id) };
      endLife(); me.pending = me.unknown; check() }

  /* Holding. */
  :: atomic { held(id) && idle && me.extensions < EXTENSIONS -> me.sent = EXTEND; me.extensions++; check() }
  :: atomic { me.phase == HELD && !held(id) -> lose(); check() }
  :: atomic { (me.phase == HELD || me.phase == LOST) && idle -> endLife(); me.pending = true; check() }
  :: atomic { held(id) && idle && hasNeighbour(id) && life[neighbour(id)].phase == WAITING && life[neighbour(id)].from == NOBODY &&
      life[neighbour(id)].sent == NOTHING && life[neighbour(id)].got == NOTHING ->
      endLife();
      life[neighbour(id)].sent = TAKE_OVER; life[neighbour(id)].from = id; check() }

  /* Tidying up. */
  :: atomic { me.pending && me.phase == ENDED && idle -> me.sent = RELEASE; me.certain = (me.doubt == 0); check() }
  :: atomic { me.pending && me.phase == LOST && idle -> endLife(); check() }

  /* The network. */
  :: atomic { me.sent != NOTHING && me.age <= LATE -> d_step { arrive() }; check() }
  :: atomic { me.got != NOTHING -> receive(); check() }
#ifndef PROGRESS
  :: atomic { !idle -> fail(); check() }
  :: atomic { me.lateAcquire -> me.lateAcquire = false; d_step { attempt(id, TTL) }; check() }
  :: atomic { me.lateFrom != NOBODY -> d_step { takeOver(me.lateFrom, id, TTL); me.lateFrom = NOBODY }; check() }
  :: atomic { me.lateExtend -> me.lateExtend = false; d_step { extend(id, TTL) }; check() }
#else
  /* Dying, while others go on. */
  :: atomic { id == 1 && idle -> break }
#endif

#ifdef RESOURCE
  /* Writing, perhaps long after the lease was over. */
  :: atomic { (me.phase == HELD || me.phase == LOST) && me.token != written -> write() }
#endif
  od
}

proctype Clock() {
  byte x;
  do
  :: atomic { arrived ->
      d_step {
        if :: left > -TOLERANCE -> left-- :: else fi;
        x = 1;
        do
        :: x <= IDS ->
          if :: life[x].end > 0 -> life[x].end-- :: else fi;
          if :: (life[x].sent != NOTHING || life[x].got != NOTHING) && life[x].age < OLD -> life[x].age++ :: else fi;
          if :: life[x].doubt > 0 -> life[x].doubt-- :: else fi;
          if :: life[x].doubt == 0 -> life[x].lateAcquire = false; life[x].lateFrom = NOBODY :: else fi;
#ifdef PROGRESS
          life[x].requests = 0;
#endif
          x++
        :: else -> break
        od;
        x = 0;
        do
        :: x < waiting -> if :: unseen[line[x]] <= TAKEN_FOR_DEAD -> unseen[line[x]]++ :: else fi; x++
        :: else -> break
        od;
        x = 0
      }
      check()
    }
  od
}

init {
  atomic {
    byte x = 1;
    do
    :: x <= IDS -> life[x].phase = WAITING; life[x].sent = NOTHING; life[x].got = NOTHING; run Id(x); x++
    :: else -> x = 0; break
    od;
    run Clock()
  }
}
