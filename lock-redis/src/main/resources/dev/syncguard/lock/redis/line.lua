-- The line in which waiters stand for a key: a sorted set beside the lock, which exists only while somebody waits.
--
-- A member is the channel of the waiter's process and the waiter's lock id, its score the ticket that it drew, so the
-- longest waiting come first. A waiter marks the record of the holder, so that a release looks for a line only if there
-- is one. When it finds one it calls the first: takes it out of the line, puts a reservation in the place of the record and
-- tells the process. A reservation is a dead lock to those who do not know it; whoever does lets it stand until it lapses.

-- Waiters look after their line each second; without them it goes.
local UNTENDED_MS = 5000

-- No key contains NUL, so nothing else has this name.
local function lineOf(base)
  return base .. '\0line'
end

local function memberOf(channel, id)
  return channel .. ' ' .. id
end

local function drawTicket()
  return time[1] .. string.format('%06d', time[2])
end

-- Returns a problem if there is one.
local function stand(line, member, ticket)
  local reply = redis.pcall('ZADD', line, 'NX', ticket, member)
  if type(reply) == 'table' then return problemOf(reply, 'line') end
  redis.call('PEXPIRE', line, UNTENDED_MS)
end

-- Calls the first who can be reached, and returns whether there was one. On a cluster the server cannot tell. A line
-- that is none counts as empty: a release must not fail for its sake.
local function callFirst(base, record, reserveMs, canTell)
  local line = lineOf(base)
  while true do
    local first = redis.pcall('ZPOPMIN', line)
    if not first[1] then return false end
    local channel, id = string.match(first[1], '^(.*) (.-)$')
    local isReached = channel == '' or redis.call('PUBLISH', channel, id) > 0 or not canTell
    if isReached and id ~= record.lockId then
      local reservation = {
        lockId = '', key = record.key, fence = record.fence, acquiredAtMs = 0, expiresAtMs = 0, reservedFor = id
      }
      redis.call('SET', base, cjson.encode(reservation), 'PX', reserveMs)
      return true
    end
  end
end

-- Where others wait in line, whoever merely asks from time to time would never find the lock free. So who asks a second
-- time, soon and with the same id, gets a place without a channel, and a reservation that lasts until its next question.
-- Nothing happens with the lock meanwhile, hence only one such place in a second.
local function rememberPoller(base, id)
  local mark = base .. '\0poller'
  if redis.call('GET', mark) == id then
    stand(lineOf(base), memberOf('', id), drawTicket())
    redis.call('SET', mark, '', 'PX', 1000)
  else
    redis.call('SET', mark, id, 'NX', 'PX', 250)
  end
end
