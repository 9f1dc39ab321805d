-- Removes the record of a lock that is long dead, with its index. In front of this stands isCleanable, the rule of all backends.
--
-- KEYS lock   ARGV what index keys begin with
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
if record and not record.reservedFor and isCleanable(record.expiresAtMs, now) then
  redis.pcall('DEL', KEYS[1], ARGV[1] .. record.lockId)
end
return 0
