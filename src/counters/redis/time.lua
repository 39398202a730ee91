-- KEYS: any key on the server. Returns the server's clock: seconds and microseconds.
return redis.call('TIME')
