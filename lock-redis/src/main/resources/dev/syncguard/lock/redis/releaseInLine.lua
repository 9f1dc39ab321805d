-- The rest of release, where somebody may wait.
if callFirst(base, record, ARGV[2], ARGV[3] == '1') then
  redis.call('DEL', KEYS[1])
else
  redis.call('DEL', KEYS[1], base)
end
return ARGV[1]
