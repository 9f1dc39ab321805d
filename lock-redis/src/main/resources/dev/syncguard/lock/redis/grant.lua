-- Begins a lease.

-- Gives the key to a new lease. Whatever is found to be wrong, nothing has changed in the end.
--
-- What we store lives until nobody would call it live any more; what its ttl is worth to others is in the record itself. The
-- id in the answer shows the client that it is the answer to its question, and not one that a connection still owed to
-- somebody else.
local function grant(keys, id, ttl, userKey, hasLine, note)
  local base, index, counter = keys[1], keys[2], keys[3]
  -- As text, since the server turns a number into one each time.
  local lifetime = tostring(ttl + TOLERANCE_MS)
  local isNew = redis.call('SET', index, base, 'PX', lifetime, 'NX')
  if not isNew then
    local other = redis.pcall('GET', index)
    if type(other) == 'table' then return problemOf(other, 'index') end
    if other ~= base then return redis.error_reply('SGID in use') end
    redis.call('PEXPIRE', index, lifetime)
  end

  local number, problem = redis.pcall('INCR', counter)
  if type(number) == 'table' then
    problem = problemOf(number, 'fence')
  elseif number < 1 or number > LAST_FENCE then
    redis.call('DECR', counter)
    problem = number < 1 and damaged('fence') or redis.error_reply('SGFENCE used up')
  end
  if problem then
    if isNew then redis.call('DEL', index) end
    return problem
  end

  local fence, expiresAtMs = string.format('%015d', number), now + ttl
  redis.call('SET', base, spelled(id, fence, expiresAtMs, userKey, note, hasLine), 'PX', lifetime)
  return {id, fence, expiresAtMs, now}
end
