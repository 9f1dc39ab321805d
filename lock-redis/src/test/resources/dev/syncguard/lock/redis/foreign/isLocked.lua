-- KEYS lock   ARGV prefix, tolerance, whether to clean
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local text = redis.call('GET', KEYS[1])
if not text then return 0 end
local data = cjson.decode(text)
if data.expiresAtMs > now - tonumber(ARGV[2]) then return 1 end
if ARGV[3] == 'true' and now - data.expiresAtMs > 2000 then
  redis.call('DEL', KEYS[1], ARGV[1] .. ':id:' .. data.lockId)
end
return 0
