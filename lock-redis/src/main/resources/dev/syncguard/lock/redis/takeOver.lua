-- Ends one lease and grants the next.
--
-- KEYS lock, index of the next, fence, index of the one that ends
-- ARGV id of the next, ttl, user key, channel, id that ends, note if there is one
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
if not record or not isLive(record.expiresAtMs, now) then return 0 end
local id = ARGV[1]
if record.lockId == id then return grantAgain(KEYS[1], record) end
if record.lockId ~= ARGV[5] then return 0 end

local reply = grant(KEYS, id, tonumber(ARGV[2]), ARGV[3], record.line, ARGV[6])
if reply.err then return reply end
redis.call('DEL', KEYS[4])
if record.line then redis.call('ZREM', lineOf(KEYS[1]), memberOf(ARGV[4], id)) end
return reply
