-- Finds a lease by its id.

-- Returns the live record of a lease and its lock key; or nil, why not, and a problem if that is why. Whoever knows the lock
-- key does not need the index to lead there.
local function follow(index, id, base)
  base = base or redis.pcall('GET', index)
  if not base then return nil, 'not-found' end
  if type(base) == 'table' then return nil, nil, problemOf(base, 'index') end
  local record, problem = recordIn(redis.pcall('GET', base))
  if problem then return nil, nil, problem end
  if not record or record.lockId ~= id then return nil, 'not-found' end
  if not isLive(record.expiresAtMs, now) then return nil, 'expired' end
  return record, base
end
