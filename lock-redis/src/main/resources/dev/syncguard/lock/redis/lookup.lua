-- KEYS lock or index keys   ARGV for each key, what it is: nothing for a lock, an id for its index
local found = {now}
for i, key in ipairs(KEYS) do
  local record, problem
  if ARGV[i] == '' then
    record, problem = recordIn(redis.pcall('GET', key))
    if record and (record.reservedFor or not isLive(record.expiresAtMs, now)) then record = nil end
  else
    local unused
    record, unused, problem = follow(key, ARGV[i])
  end
  if problem then return problem end
  if record then
    found[#found + 1] = {record.key, record.lockId, record.fence, record.acquiredAtMs, record.expiresAtMs}
  end
end
return found
