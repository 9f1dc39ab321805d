-- KEYS lock, index, fence   ARGV id, ttl, tolerance, lock again, user key
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local text = redis.call('GET', KEYS[1])
if text and cjson.decode(text).expiresAtMs > now - tonumber(ARGV[3]) then return 0 end
local fence = string.format('%015d', redis.call('INCR', KEYS[3]))
local ends = now + tonumber(ARGV[2])
local value = cjson.encode({lockId = ARGV[1], expiresAtMs = ends, acquiredAtMs = now, key = ARGV[5], fence = fence})
redis.call('SET', KEYS[1], value, 'PX', tonumber(ARGV[2]))
redis.call('SET', KEYS[2], ARGV[4], 'PX', tonumber(ARGV[2]))
return {1, fence, ends}
