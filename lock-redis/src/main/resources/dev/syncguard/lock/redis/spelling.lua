-- Spells the record of a new lease. The id comes first, where a release finds it without decoding the rest; a line comes last, so
-- that it cannot be taken for a part of what users wrote, whose quotes are escaped.
local function spelled(id, fence, expiresAtMs, userKey, note, hasLine)
  return '{"lockId":"' .. id .. '","fence":"' .. fence .. '","acquiredAtMs":' .. now .. ',"expiresAtMs":' .. expiresAtMs
    .. ',"key":' .. cjson.encode(userKey) .. (note and ',"note":' .. cjson.encode(note) or '')
    .. (hasLine and ',"line":true}' or '}')
end
