-- KEYS lock or index keys   ARGV for each key, what it is: nothing for a lock, an id for its index

-- How many stand in line; -1 if we may not ask, which is no reason not to answer the rest.
local function waiting(base, record)
  local count = record.line and redis.pcall('ZCARD', lineOf(base)) or 0
  return type(count) == 'number' and count or -1
end

local found = {now}
for i, key in ipairs(KEYS) do
  local record, base, problem
  if ARGV[i] == '' then
    base = key
    record, problem = recordIn(redis.pcall('GET', key))
    if record and (record.reservedFor or not isLive(record.expiresAtMs, now)) then record = nil end
  else
    record, base, problem = follow(key, ARGV[i])
  end
  if problem then return problem end
  if record then
    local note = type(record.note) == 'string' and record.note or ''
    found[#found + 1] = {
      record.key, record.lockId, record.fence, record.acquiredAtMs, record.expiresAtMs, note, waiting(base, record)
    }
  end
end
return found
