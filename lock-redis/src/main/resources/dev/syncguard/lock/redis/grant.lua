-- Begins a lease.

-- The id shows the client that this is the answer to its question, and not one that a connection still owed to somebody else.
local function answer(record)
  return {record.lockId, record.fence, record.expiresAtMs}
end

-- Lets an index lead to a lock. Returns a problem if the id is in use elsewhere, and whether the index is new.
local function point(index, base, lifetime)
  if redis.call('SET', index, base, 'PX', lifetime, 'NX') then return nil, true end
  local other = redis.pcall('GET', index)
  if type(other) == 'table' then return problemOf(other, 'index') end
  if other ~= base then return redis.error_reply('SGID in use') end
  redis.call('PEXPIRE', index, lifetime)
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
--
-- What we store lives until nobody would call it live any more; what its ttl is worth to others is in the record itself.
local function grant(keys, id, ttl, userKey, hasLine)
  local base, index, counter = keys[1], keys[2], keys[3]
  -- As text, since the server turns a number into one each time.
  local lifetime = tostring(ttl + TOLERANCE_MS)
  local problem, isNew = point(index, base, lifetime)
  if problem then return problem end
  local fence
  fence, problem = nextFence(counter)
  if problem then
    if isNew then redis.call('DEL', index) end
    return problem
  end
  local record = {lockId = id, key = userKey, fence = fence, acquiredAtMs = now, expiresAtMs = now + ttl}
  if hasLine then record.line = true end
  redis.call('SET', base, cjson.encode(record), 'PX', lifetime)
  return answer(record)
end
