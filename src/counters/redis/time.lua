-- KEYS: any key of the server that is meant. Returns its clock: seconds and microseconds.
return redis.call('TIME')
