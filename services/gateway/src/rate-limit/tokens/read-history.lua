-- KEYS[1]: who has told, kept for as long as somebody watches. Answers the history of writes of this Redis, or '' where it is a replica.
redis.call('PEXPIRE', KEYS[1], 3600000)
local info = redis.call('INFO', 'replication')
if not string.find(info, 'role:master', 1, true) then return '' end
return string.match(info, 'master_replid:(%x+)')
