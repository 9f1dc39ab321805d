-- KEYS index   ARGV id, tolerance, ttl
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local lock = redis.call('GET', KEYS[1])
local text = lock and redis.call('GET', lock)
local data = text and cjson.decode(text)
if not data or data.expiresAtMs <= now - tonumber(ARGV[2]) or data.lockId ~= ARGV[1] then return 0 end
data.expiresAtMs = now + tonumber(ARGV[3])
redis.call('SET', lock, cjson.encode(data), 'PX', tonumber(ARGV[3]))
redis.call('SET', KEYS[1], lock, 'PX', tonumber(ARGV[3]))
return {1, data.expiresAtMs}
