-- KEYS index   ARGV id, milliseconds of a reservation, whether the server can tell who listens
local record, base, problem = follow(KEYS[1], ARGV[1])
if problem then return problem end
if not record then return base end
if record.line and callFirst(base, record, ARGV[2], ARGV[3] == '1') then
  redis.call('DEL', KEYS[1])
else
  redis.call('DEL', KEYS[1], base)
end
return ARGV[1]
