-- Tables, columns and indexes are those of the TypeScript library, so that both can share one database.

CREATE TABLE IF NOT EXISTS @locks (
  key text PRIMARY KEY,
  lock_id text NOT NULL,
  expires_at_ms bigint NOT NULL,
  acquired_at_ms bigint NOT NULL,
  fence text NOT NULL,
  user_key text NOT NULL
);

CREATE UNIQUE INDEX IF NOT EXISTS @lock_id_index ON @locks (lock_id);

CREATE INDEX IF NOT EXISTS @expires_index ON @locks (expires_at_ms);

-- Rows are never deleted: a fence must not come twice.
CREATE TABLE IF NOT EXISTS @fences (
  fence_key text PRIMARY KEY,
  fence bigint NOT NULL DEFAULT 0,
  key_debug text
);

-- Who waits for which key. Only this library knows it. A crash of the server may empty it: whoever waits comes back.
CREATE UNLOGGED TABLE IF NOT EXISTS @waiters (
  key text NOT NULL,
  ticket bigint NOT NULL,
  lock_id text NOT NULL,
  channel text,
  token bigint NOT NULL,
  called_at_ms bigint,
  seen_at_ms bigint NOT NULL,
  PRIMARY KEY (key, ticket, lock_id)
);

-- What holders say about themselves. Beside the locks and not among them: the TypeScript library must find its table as it made
-- it, and overwrites the row of a lease that ran out without knowing of a note. So a note counts only with its lock id.
CREATE TABLE IF NOT EXISTS @notes (
  key text PRIMARY KEY,
  lock_id text NOT NULL,
  note text NOT NULL
);

-- Whoever changes the lock of a key first takes an advisory lock, the one that the TypeScript library takes as well. An
-- assignment to "done" calls a function without the cost of a statement; for the same reason our functions call one another
-- only where somebody waits.

-- Returns who may take a key that is free, or null if nobody waits. Anybody else than the one who asks is called.
--
-- Whoever was called has its turn for a while, in which nobody else gets the key, and is then taken for dead.
CREATE OR REPLACE FUNCTION @first_in_line(the_key text, asking text, now_ms bigint) RETURNS text
LANGUAGE plpgsql AS $syncguard$
DECLARE
  waiter record;
BEGIN
  LOOP
    SELECT w.ticket, w.lock_id, w.channel, w.token, w.called_at_ms INTO waiter
      FROM @waiters AS w WHERE w.key = the_key ORDER BY w.ticket, w.lock_id LIMIT 1;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    IF waiter.lock_id = asking THEN
      RETURN asking;
    END IF;
    IF waiter.called_at_ms IS NULL THEN
      UPDATE @waiters AS w SET called_at_ms = now_ms
        WHERE w.key = the_key AND w.ticket = waiter.ticket AND w.lock_id = waiter.lock_id;
      IF waiter.channel IS NOT NULL THEN
        PERFORM pg_notify(waiter.channel, waiter.token::text);
      END IF;
      RETURN waiter.lock_id;
    END IF;
    IF now_ms < waiter.called_at_ms + @turn_ms THEN
      RETURN waiter.lock_id;
    END IF;
    DELETE FROM @waiters AS w WHERE w.key = the_key AND w.ticket = waiter.ticket AND w.lock_id = waiter.lock_id;
  END LOOP;
END
$syncguard$;

-- Takes the key if it is free, or if from_id holds it. Whoever is refused and has a token stands in line then, and keeps its
-- ticket.
--
-- Whoever has no token finds a free key taken only while somebody was called for it and still has its turn: the rows of the dead
-- must not keep anybody from a key that nobody comes for. Somebody who only polls would never have its turn where others stand
-- in line, so it may come in between.
CREATE OR REPLACE FUNCTION @acquire(
  the_key text, the_fence_key text, the_user_key text, the_id text, ttl_ms bigint, patience_ms bigint, from_id text,
  the_channel text, the_token bigint, the_ticket bigint, polls boolean,
  OUT the_fence text, OUT ends_at_ms bigint, OUT look_again_ms bigint, OUT kept_ticket bigint, OUT now_ms bigint,
  OUT is_first boolean, OUT held_fence text)
LANGUAGE plpgsql AS $syncguard$
DECLARE
  done text;
  holder text;
  awaited boolean;
  kept boolean;
  row_locked boolean := false;
  next_fence bigint;
BEGIN
  @enter
  IF from_id IS NOT NULL THEN
    -- It most likely holds the key, and then the row has to be locked anyway: see below.
    PERFORM 1 FROM @locks AS l WHERE l.key = the_key AND l.lock_id = from_id FOR UPDATE;
    row_locked := FOUND;
  END IF;
  LOOP
    SELECT l.lock_id, l.fence, l.expires_at_ms, line.is_there INTO holder, the_fence, ends_at_ms, awaited
      FROM (SELECT EXISTS (SELECT 1 FROM @waiters AS w WHERE w.key = the_key)) AS line (is_there)
      LEFT JOIN @locks AS l ON l.key = the_key;
    now_ms := @now;
    IF @live THEN
      IF holder = the_id THEN
        RETURN;
      END IF;
      IF holder IS DISTINCT FROM from_id THEN
        look_again_ms := ends_at_ms + @tolerance_ms - now_ms;
        EXIT;
      END IF;
    ELSIF from_id IS NOT NULL THEN
      EXIT;
    END IF;
    IF holder IS NOT NULL AND NOT row_locked THEN
      -- An extension that does not know our advisory lock may be under way. Locking a row writes, so it comes second.
      PERFORM 1 FROM @locks AS l WHERE l.key = the_key FOR UPDATE;
      row_locked := true;
      CONTINUE;
    END IF;
    IF awaited AND from_id IS NULL THEN
      IF the_token IS NOT NULL THEN
        kept := @first_in_line(the_key, the_id, now_ms) <> the_id;
      ELSE
        kept := NOT polls AND EXISTS (
          SELECT 1 FROM @waiters AS w WHERE w.key = the_key AND w.lock_id <> the_id AND now_ms < w.called_at_ms + @turn_ms);
      END IF;
      IF kept THEN
        look_again_ms := @turn_ms;
        EXIT;
      END IF;
    END IF;

    UPDATE @fences AS f SET fence = f.fence + 1 WHERE f.fence_key = the_fence_key RETURNING f.fence INTO next_fence;
    IF NOT FOUND THEN
      INSERT INTO @fences (fence_key, fence, key_debug) VALUES (the_fence_key, 1, the_user_key);
      next_fence := 1;
    END IF;
    IF next_fence > @last_fence THEN
      RAISE EXCEPTION USING ERRCODE = '@no_fence_left', MESSAGE = 'The fence counter of a key is used up';
    END IF;
    IF next_fence < 1 THEN
      RAISE EXCEPTION USING ERRCODE = '@damaged_fence', MESSAGE = 'The fence counter of a key is damaged';
    END IF;
    the_fence := lpad(next_fence::text, 15, '0');

    -- Now that all waiting is over: a lease must not begin before it is granted.
    now_ms := @now;
    ends_at_ms := now_ms + ttl_ms;
    IF holder IS NULL THEN
      INSERT INTO @locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
        VALUES (the_key, the_id, ends_at_ms, now_ms, the_fence, the_user_key);
    ELSE
      UPDATE @locks AS l SET
        lock_id = the_id, expires_at_ms = ends_at_ms, acquired_at_ms = now_ms, fence = the_fence, user_key = the_user_key
        WHERE l.key = the_key;
    END IF;
    IF awaited THEN
      DELETE FROM @waiters AS w WHERE w.key = the_key AND w.lock_id = the_id;
    END IF;
    @sync
    RETURN;
  END LOOP;

  held_fence := the_fence;
  the_fence := NULL;
  ends_at_ms := NULL;
  IF the_token IS NULL THEN
    RETURN;
  END IF;
  kept_ticket := coalesce(the_ticket, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  -- Whoever does not know its ticket, because the answer got lost, stands there twice. That does no harm.
  INSERT INTO @waiters AS w (key, ticket, lock_id, channel, token, seen_at_ms)
    VALUES (the_key, kept_ticket, the_id, the_channel, the_token, now_ms)
    ON CONFLICT (key, ticket, lock_id) DO UPDATE
      SET channel = the_channel, token = the_token, called_at_ms = NULL, seen_at_ms = now_ms
    RETURNING NOT EXISTS (SELECT 1 FROM @waiters AS o WHERE o.key = the_key AND o.ticket < kept_ticket) INTO is_first;
END
$syncguard$;

-- Keeps the note of a lease that has just been granted, in the same transaction. Whoever asks again keeps its first note.
CREATE OR REPLACE FUNCTION @annotate(the_key text, the_id text, the_note text) RETURNS boolean
LANGUAGE plpgsql AS $syncguard$
BEGIN
  INSERT INTO @notes AS n (key, lock_id, note) VALUES (the_key, the_id, the_note)
    ON CONFLICT (key) DO UPDATE SET lock_id = the_id, note = the_note WHERE n.lock_id <> the_id;
  RETURN FOUND;
END
$syncguard$;

-- Ends a lease and calls the next in line. Need not reach the disk at once: what a crash undoes ends by itself. Whoever
-- does not know the key leaves it out.
CREATE OR REPLACE FUNCTION @release(the_key text, the_id text, patience_ms bigint) RETURNS text
LANGUAGE plpgsql AS $syncguard$
DECLARE
  done text;
  ends_at_ms bigint;
  awaited boolean;
  noted boolean;
  now_ms bigint;
BEGIN
  IF the_key IS NULL THEN
    SELECT l.key INTO the_key FROM @locks AS l WHERE l.lock_id = the_id;
    IF NOT FOUND THEN
      RETURN 'NOT_FOUND';
    END IF;
  END IF;
  @enter
  done := set_config('synchronous_commit', 'off', true);
  DELETE FROM @locks AS l WHERE l.key = the_key AND l.lock_id = the_id
    RETURNING l.expires_at_ms, EXISTS (SELECT 1 FROM @waiters AS w WHERE w.key = the_key),
      EXISTS (SELECT 1 FROM @notes AS n WHERE n.key = the_key) INTO ends_at_ms, awaited, noted;
  IF NOT FOUND THEN
    RETURN 'NOT_FOUND';
  END IF;
  IF noted THEN
    DELETE FROM @notes AS n WHERE n.key = the_key;
  END IF;
  now_ms := @now;
  IF awaited THEN
    done := @first_in_line(the_key, NULL, now_ms);
  END IF;
  RETURN CASE WHEN @live THEN 'RELEASED' ELSE 'EXPIRED' END;
END
$syncguard$;

CREATE OR REPLACE FUNCTION @extend(
  the_id text, ttl_ms bigint, patience_ms bigint, OUT outcome text, OUT ends_at_ms bigint)
LANGUAGE plpgsql AS $syncguard$
DECLARE
  done text;
  the_key text;
  now_ms bigint;
BEGIN
  outcome := 'NOT_FOUND';
  SELECT l.key INTO the_key FROM @locks AS l WHERE l.lock_id = the_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  @enter
  SELECT l.expires_at_ms INTO ends_at_ms
    FROM @locks AS l WHERE l.key = the_key AND l.lock_id = the_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  now_ms := @now;
  IF NOT @live THEN
    outcome := 'EXPIRED';
    RETURN;
  END IF;
  outcome := 'EXTENDED';
  ends_at_ms := now_ms + ttl_ms;
  UPDATE @locks AS l SET expires_at_ms = ends_at_ms WHERE l.key = the_key;
  @sync
END
$syncguard$;

-- Leaves the line. Whoever was called passes the call on.
CREATE OR REPLACE FUNCTION @leave(the_key text, the_id text, patience_ms bigint) RETURNS boolean
LANGUAGE plpgsql AS $syncguard$
DECLARE
  done text;
  called_at_ms bigint;
  ends_at_ms bigint;
  now_ms bigint;
BEGIN
  @enter
  done := set_config('synchronous_commit', 'off', true);
  SELECT max(w.called_at_ms) INTO called_at_ms FROM @waiters AS w WHERE w.key = the_key AND w.lock_id = the_id;
  DELETE FROM @waiters AS w WHERE w.key = the_key AND w.lock_id = the_id;
  IF called_at_ms IS NULL THEN
    RETURN FALSE;
  END IF;
  SELECT l.expires_at_ms INTO ends_at_ms FROM @locks AS l WHERE l.key = the_key;
  now_ms := @now;
  IF NOT FOUND OR NOT @live THEN
    done := @first_in_line(the_key, NULL, now_ms);
  END IF;
  RETURN TRUE;
END
$syncguard$;

-- Forgets a lease that ended long ago, unless somebody is busy with it.
CREATE OR REPLACE FUNCTION @forget(the_key text) RETURNS void
LANGUAGE plpgsql AS $syncguard$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM @locks AS l WHERE l.key IN (
    SELECT d.key FROM @locks AS d WHERE d.key = the_key AND @cleanable FOR UPDATE SKIP LOCKED);
  DELETE FROM @notes AS n WHERE n.key = the_key
    AND NOT EXISTS (SELECT 1 FROM @locks AS l WHERE l.key = the_key AND l.lock_id = n.lock_id);
END
$syncguard$;
