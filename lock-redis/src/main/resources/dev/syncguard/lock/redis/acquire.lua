-- The long way of acquire, behind acquireFree.
if not text then return grant(KEYS, id, ttl, ARGV[3], nil, ARGV[4]) end
