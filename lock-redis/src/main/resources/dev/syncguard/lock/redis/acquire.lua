-- KEYS lock, index, fence   ARGV id, ttl, user key, note if there is one
local text, id, ttl = redis.pcall('GET', KEYS[1]), ARGV[1], tonumber(ARGV[2])
if not text then return grant(KEYS, id, ttl, ARGV[3], nil, ARGV[4]) end
