-- What every script starts with. In front of this stand isLive and isCleanable, the rules of all backends, and the
-- constants LAST_FENCE and TOLERANCE_MS.
--
-- A function that can fail returns its result and a problem; a problem is an error reply for the script to return.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function damaged(what)
  return redis.error_reply('SGDAMAGED ' .. what)
end

local FOREIGN = {'WRONGTYPE ', 'ERR value is not an integer', 'ERR increment or decrement would overflow'}

-- Tells a value of the wrong kind, which nobody but its author can explain, from a server that refuses to work.
local function problemOf(reply, what)
  for _, beginning in ipairs(FOREIGN) do
    if string.sub(reply.err, 1, #beginning) == beginning then return damaged(what) end
  end
  return reply
end

-- NaN fails both comparisons.
local function isTime(ms)
  return type(ms) == 'number' and ms >= 0 and ms < 2 ^ 53
end

-- Returns the record under a lock key, or nil if there is none.
local function read(base)
  local text = redis.pcall('GET', base)
  if not text then return nil end
  if type(text) == 'table' then return nil, problemOf(text, 'lock') end
  local isJson, record = pcall(cjson.decode, text)
  local isOurs = isJson and type(record) == 'table' and type(record.lockId) == 'string' and type(record.key) == 'string'
    and type(record.fence) == 'string' and #record.fence == 15 and not string.find(record.fence, '%D')
    and isTime(record.acquiredAtMs) and isTime(record.expiresAtMs)
  if not isOurs then return nil, damaged('lock') end
  return record
end

-- Returns the live record of a lease and its lock key; or nil, why not, and a problem if that is why.
local function follow(index, id)
  local base = redis.pcall('GET', index)
  if not base then return nil, 'not-found' end
  if type(base) == 'table' then return nil, nil, problemOf(base, 'index') end
  local record, problem = read(base)
  if problem then return nil, nil, problem end
  if not record or record.lockId ~= id then return nil, 'not-found' end
  if not isLive(record.expiresAtMs, now) then return nil, 'expired' end
  return record, base
end

local function answer(record)
  return {1, record.fence, record.expiresAtMs}
end

-- Keeps a record until nobody would call it live any more; what its ttl is worth to others is in the record itself.
local function store(base, record, ttl)
  redis.call('SET', base, cjson.encode(record), 'PX', ttl + TOLERANCE_MS)
end

-- Lets an index lead to a lock. Returns a problem if the id is in use elsewhere, and whether the index is new.
local function point(index, base, ttl)
  if redis.call('SET', index, base, 'PX', ttl + TOLERANCE_MS, 'NX') then return nil, true end
  local other = redis.pcall('GET', index)
  if type(other) == 'table' then return problemOf(other, 'index') end
  if other ~= base then return redis.error_reply('SGID in use') end
  redis.call('PEXPIRE', index, ttl + TOLERANCE_MS)
end

-- Returns the next fence, or a problem.
local function nextFence(counter)
  local fence = redis.pcall('INCR', counter)
  if type(fence) == 'table' then return nil, problemOf(fence, 'fence') end
  if fence >= 1 and fence <= LAST_FENCE then return string.format('%015d', fence) end
  redis.call('DECR', counter)
  return nil, fence < 1 and damaged('fence') or redis.error_reply('SGFENCE used up')
end

-- Gives the key to a new lease. Whatever is found to be wrong, nothing has changed in the end.
local function grant(keys, id, ttl, userKey, hasLine)
  local base, index, counter = keys[1], keys[2], keys[3]
  local problem, isNew = point(index, base, ttl)
  if problem then return problem end
  local fence
  fence, problem = nextFence(counter)
  if problem then
    if isNew then redis.call('DEL', index) end
    return problem
  end
  local record = {lockId = id, key = userKey, fence = fence, acquiredAtMs = now, expiresAtMs = now + ttl}
  if hasLine then record.line = true end
  store(base, record, ttl)
  return answer(record)
end
