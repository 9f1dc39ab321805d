/*
 * The store's part of the lock protocol: one key, and the line of those who wait for it.
 *
 * Stands for MemoryLockBackend and MemoryLine, which every other backend agrees with by contract (lock-testkit). Times are
 * what is left until something happens, so that states repeat and all of them can be visited. Included by lock.pml, which visits all, and by
 * the traces of the seeded simulation, which must be a way through it.
 */

#define NOBODY 0
#ifndef TIME
#define TIME short
#endif

mtype = { GRANTED, REFUSED, EXTENDED, RELEASED, GONE };

byte holder;          /* the lock id that has the key */
TIME left;            /* how long until its lease expires; below zero it has */
byte fence;           /* the last one that was handed out */
byte line[IDS];       /* ids that wait, first come first */
byte waiting;         /* how many they are */
TIME unseen[IDS + 1]; /* how long ago each of them was last heard of */
hidden mtype answer;  /* to the last request */

#define live (holder != NOBODY && left > -TOLERANCE)

hidden byte place;
hidden byte who;

inline findPlace(id) {
  place = 0;
  do
  :: place < waiting && line[place] != id -> place++
  :: else -> break
  od
}

inline leaveLine(id) {
  findPlace(id);
  if
  :: place < waiting ->
    do
    :: place + 1 < waiting -> line[place] = line[place + 1]; place++
    :: else -> break
    od;
    waiting--;
    line[waiting] = NOBODY;
    unseen[id] = 0
  :: else
  fi
}

inline joinLine(id) {
  findPlace(id);
  if
  :: place == waiting -> line[waiting] = id; waiting++
  :: else
  fi
}

/* Whoever was not heard of for too long is taken for dead and does not keep others waiting. */
inline buryDead() {
  skip;
#ifndef NOBODY_IS_TAKEN_FOR_DEAD
  do
  :: waiting > 0 && unseen[line[0]] > TAKEN_FOR_DEAD -> who = line[0]; leaveLine(who)
  :: else -> break
  od
#endif
}

inline grant(id, ttl) {
#ifdef FENCES_REPEAT
  if :: holder == NOBODY -> fence++ :: else fi;
#else
  fence++;
#endif
  holder = id;
  left = ttl;
  answer = GRANTED
}

/* A request under an id that has the key already is answered with that grant. */
inline acquire(id, ttl) {
  if
  :: live && holder == id -> answer = GRANTED
  :: live && holder != id -> answer = REFUSED
  :: else ->
    buryDead();
    if
    :: waiting > 0 && line[0] != id -> answer = REFUSED
    :: else -> grant(id, ttl)
    fi
  fi
}

/* An acquire by somebody who stays in line when refused. */
inline attempt(id, ttl) {
  unseen[id] = 0;
  acquire(id, ttl);
  if
  :: answer == GRANTED -> leaveLine(id)
  :: else -> joinLine(id)
  fi
}

inline takeOver(owner, id, ttl) {
  if
  :: live && holder == id -> answer = GRANTED
#ifdef ANYBODY_IS_REPLACED
  :: live && holder != id -> grant(id, ttl)
#else
  :: live && holder == owner -> grant(id, ttl)
  :: live && holder != id && holder != owner -> answer = REFUSED
#endif
  :: else -> answer = REFUSED
  fi;
  if
  :: answer == GRANTED -> leaveLine(id)
  :: else
  fi
}

inline extend(id, ttl) {
  if
#ifdef EXTENSIONS_REVIVE
  :: holder == id -> left = ttl; answer = EXTENDED
#else
  :: live && holder == id -> left = ttl; answer = EXTENDED
#endif
  :: else -> answer = GONE
  fi
}

inline release(id) {
  if
  :: live && holder == id -> holder = NOBODY; left = 0; answer = RELEASED
  :: else -> answer = GONE
  fi
}
