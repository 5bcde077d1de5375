-- KEYS[1]: what an account's refused POSTs count, one member each by its task, and when it was counted, in microseconds.
-- ARGV: limit, window in microseconds, and the members to count now. Each counts once, however often it is told.
-- Returns the microseconds until the account is below its limit; 0 where it is.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
for place = 3, #ARGV do
  redis.call('ZADD', KEYS[1], 'NX', string.format('%.0f', now), ARGV[place])
  redis.call('PEXPIRE', KEYS[1], window / 1000 + 1000)
end
local over = redis.call('ZCARD', KEYS[1]) - limit
if over < 0 then return '0' end
local last = redis.call('ZRANGE', KEYS[1], over, over, 'WITHSCORES')
return string.format('%.0f', last[2] + window - now)
