-- KEYS[1]: the times tokens were taken, newest first. KEYS[2]: who has told this Redis what it had let through before.
-- ARGV: limit, window in microseconds, the history of writes that all told, how many told.
-- Each token comes back exactly one window after it was taken. Answers {taken, tokens left, microseconds until the next comes back}, or
-- {-1} where this Redis is another, or has lost what it was told: restarted, promoted, made a replica, emptied.
local info = redis.call('INFO', 'replication')
if string.match(info, 'master_replid:(%x+)') ~= ARGV[3] or not string.find(info, 'role:master', 1, true) then return {-1} end
if redis.call('HLEN', KEYS[2]) ~= tonumber(ARGV[4]) then return {-1} end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
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
if oldest then wait = tonumber(oldest) + window - now elseif used > 0 then wait = window end
return {taken, limit - used, string.format('%.0f', wait)}
