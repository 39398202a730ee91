-- KEYS: blocks of the bucket's window, state. ARGV: bucket, time, length of the window, requests it admits, whether to count.
-- Returns: admitted, remaining, retry at.
local first, between, last = 'h' .. ARGV[1], 'n' .. ARGV[1], 'l' .. ARGV[1]
local window = window_of(unpack(redis.call('HMGET', KEYS[2], first, between, last)))
local answer = { meter(KEYS[1], tonumber(ARGV[3]), window, tonumber(ARGV[2]), tonumber(ARGV[4]), ARGV[5] == '1') }
if window.first ~= '' or window.last ~= '' then
  redis.call('HSET', KEYS[2], first, window.first, between, window.between, last, window.last)
  redis.call('PEXPIRE', KEYS[2], 2 * 86400000)
end
return answer
