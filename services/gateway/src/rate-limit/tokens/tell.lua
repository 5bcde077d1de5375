-- KEYS[1]: who has told. KEYS[2…]: buckets. ARGV: the history of writes meant, who tells, window in microseconds, `begin`, `more` or `end`,
-- then a bucket's `age:count age:count …` in milliseconds for each. Merges what one replica let through into the buckets, newest first.
-- Answers 1, or -1 where this Redis is another or was emptied since the beginning.
local info = redis.call('INFO', 'replication')
if string.match(info, 'master_replid:(%x+)') ~= ARGV[1] or not string.find(info, 'role:master', 1, true) then return -1 end
if ARGV[4] ~= 'begin' and redis.call('HGET', KEYS[1], ARGV[2]) ~= 'telling' then return -1 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4] == 'end' and 'told' or 'telling')
redis.call('PEXPIRE', KEYS[1], 3600000)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[3])
for i = 2, #KEYS do
  local times = {}
  for _, at in ipairs(redis.call('LRANGE', KEYS[i], 0, -1)) do times[#times + 1] = tonumber(at) end
  for age, count in string.gmatch(ARGV[3 + i], '(-?%d+):(%d+)') do
    local at = now - math.max(0, tonumber(age)) * 1000
    if at + window > now then for _ = 1, tonumber(count) do times[#times + 1] = at end end
  end
  table.sort(times, function(a, b) return a > b end)
  redis.call('DEL', KEYS[i])
  for _, at in ipairs(times) do redis.call('RPUSH', KEYS[i], string.format('%.0f', at)) end
  redis.call('PEXPIRE', KEYS[i], window / 1000 + 1000)
end
return 1
