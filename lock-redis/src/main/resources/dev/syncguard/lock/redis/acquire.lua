-- KEYS lock, index, fence   ARGV id, ttl, user key
local record, problem = read(KEYS[1])
if problem then return problem end
local id, ttl = ARGV[1], tonumber(ARGV[2])

if record then
  if isLive(record.expiresAtMs, now) then
    return record.lockId == id and grantedBefore(KEYS, record) or 0
  end
  if record.reservedFor and record.reservedFor ~= id then return 0 end
end
return grant(KEYS, id, ttl, ARGV[3], record and record.reservedFor)
