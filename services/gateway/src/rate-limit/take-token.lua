-- KEYS[1]: when the bucket's tokens were taken, newest first, in microseconds.
-- KEYS[2]: which Redis this is, and since when.
-- ARGV: limit, window in microseconds. Each token comes back exactly one window after it was taken.
-- A limit of 0 is a probe: it writes as a request does, so that a Redis that takes no writes fails it too.
-- Returns {1 taken or 0 refused, tokens left, microseconds until the next comes back}, or {-1} while this Redis is new:
-- no token is taken then.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])

-- A restart and a promotion change master_replid; a Redis that was emptied has lost the record of it. The first replica
-- that connects changes it too, and so does a backup with `redis-cli --rdb`: then too a minute passes by the shares.
local replid = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local known = redis.call('HMGET', KEYS[2], 'replid', 'since')
local since = tonumber(known[2])
if known[1] ~= replid or not since then
  since = now
  redis.call('HSET', KEYS[2], 'replid', replid, 'since', string.format('%.0f', since))
end
if limit == 0 then redis.call('HSET', KEYS[2], 'probed', string.format('%.0f', now)) end
-- Its buckets lack what its predecessor gave. After a window nothing of that counts any more.
if now - since < window then return {-1} end

local oldest = redis.call('LINDEX', KEYS[1], -1)
while oldest and tonumber(oldest) + window <= now do
  redis.call('RPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], -1)
end
local used = redis.call('LLEN', KEYS[1])
local taken = 0
if used < limit then
  redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], window / 1000 + 1000)
  used = used + 1
  taken = 1
end
local wait = 0
-- After a limit was lowered more than one has to come back before the next is given.
if used > limit then oldest = redis.call('LINDEX', KEYS[1], limit - used - 1) end
if oldest then wait = tonumber(oldest) + window - now elseif used > 0 then wait = window end
return {taken, math.max(limit - used, 0), string.format('%.0f', wait)}
