-- The line in which waiters stand for a key: a sorted set beside the lock, which exists only while somebody waits.
--
-- A member is the channel of the waiter's process and the waiter's lock id, its score the ticket that it drew, so the
-- longest waiting come first. A waiter marks the record of the holder, so that a release looks for a line only if there
-- is one. When it finds one it calls the first: takes it out of the line, puts a reservation in the place of the record and
-- tells the process. Whoever knows reservations lets one stand until it lapses.

-- No key contains NUL, so nothing else has this name.
local function lineOf(base)
  return base .. '\0line'
end

local function memberOf(channel, id)
  return channel .. ' ' .. id
end
