-- Leaves the line; whoever was called passes the call on.
--
-- KEYS lock   ARGV id, channel, milliseconds of a reservation, whether the server can tell who listens
redis.call('ZREM', lineOf(KEYS[1]), memberOf(ARGV[2], ARGV[1]))
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
if record and record.reservedFor == ARGV[1] and not callFirst(KEYS[1], record, ARGV[3], ARGV[4] == '1') then
  redis.call('DEL', KEYS[1])
end
return 1
