-- The long way of release, behind releaseOwn.
local record, base, problem = follow(KEYS[1], ARGV[1], KEYS[2])
if problem then return problem end
if not record then return base end
if not record.line then
  redis.call('DEL', KEYS[1], base)
  return ARGV[1]
end
