-- KEYS: bucket, credits, state, blocks, domain, mailbox, network (absent without one).
-- ARGV: time, length of the window (0 for none), requests it admits, cap (-1 for none), credits known to be used,
--   whether that number is exact, size of a block, id, address, which of the mailbox's addresses it is, whether to count
--   in an account that is not marked as complete.
-- Returns: admitted, remaining, retry at; credit (0 unknown, 1 reserved, 2 refused); if nothing was refused, whether
--   the attempt was counted; if it was, network 1 h and 24 h, domain 1 h and 24 h, mailbox 24 h, whether partial.
local MONTH_MS = 32 * DAY_MS
local at = tonumber(ARGV[1])
local windowMs = tonumber(ARGV[2])
local admitted, remaining, retryAt = 1, 0, 0
if windowMs > 0 then
  admitted, remaining, retryAt = meter(KEYS[1], at, windowMs, tonumber(ARGV[3]), true)
  if admitted == 0 then return { admitted, remaining, retryAt, 0 } end
end

local credit = 0
local cap = tonumber(ARGV[4])
if cap >= 0 then
  local used = tonumber(ARGV[5])
  if ARGV[6] == '0' then used = math.max(used, tonumber(redis.call('GET', KEYS[2]) or 0)) end
  if used >= cap then return { admitted, remaining, retryAt, 2 } end
  redis.call('SET', KEYS[2], used + 1, 'PX', MONTH_MS)
  credit = 1
end

-- The account's latest time, attempts in the open block, the time up to which all is forgotten, the time until which
-- counts are partial, the mark of a complete account, and until when keys may contain future times because the clock was
-- set back.
local state = redis.call('HMGET', KEYS[3], 't', 'b', 'f', 'p', 'm', 'u')
if not state[5] and ARGV[11] == '0' then return { admitted, remaining, retryAt, credit, 0 } end
local before = tonumber(state[1] or 0)
local filled, forgotten, partialUntil = tonumber(state[2] or 0), tonumber(state[3] or 0), tonumber(state[4] or 0)
local dropUntil = tonumber(state[6] or 0)
local domain, mailbox, network = KEYS[5], KEYS[6], KEYS[7]
if before > at + CLOCK_STEP_MS then
  dropUntil = at + DAY_MS + SLACK_MS
  partialUntil = math.min(partialUntil, at + DAY_MS)
  redis.call('HSET', KEYS[3], 'u', dropUntil, 'p', partialUntil)
else
  at = math.max(at, before)
end
if at < dropUntil then drop_future(network, domain, mailbox, at) end
if add(network, domain, mailbox, ARGV[8], at, ARGV[9], ARGV[10]) then
  filled, forgotten = fill(KEYS[4], filled, tonumber(ARGV[7]), at, forgotten)
end
if forgotten > at then forgotten = 0 end
local hour, day, ttl = at - HOUR_MS, at - DAY_MS, DAY_MS
if forgotten > day then
  -- The account can only remember a shorter time now: keys expire after that time, and counts of the day are partial.
  day = math.min(forgotten, at - 1)
  ttl = at - day + SLACK_MS
  partialUntil = at + DAY_MS
  redis.call('HSET', KEYS[3], 't', at, 'b', filled, 'f', forgotten, 'p', partialUntil)
else
  redis.call('HSET', KEYS[3], 't', at, 'b', filled)
end
-- Renewed once an hour, for two days: longer than the one day that it is needed.
if math.floor(at / HOUR_MS) ~= math.floor(before / HOUR_MS) then redis.call('PEXPIRE', KEYS[3], 2 * DAY_MS) end

-- The counts of one key within the hour and the day, including this attempt.
local function window(key)
  redis.call('PEXPIRE', key, ttl)
  local total = redis.call('ZCARD', key)
  if total > 1 then total = total - redis.call('ZREMRANGEBYSCORE', key, '-inf', day) end
  if total < 2 then return total, total end
  return redis.call('ZCOUNT', key, '(' .. hour, '+inf'), total
end

local network1h, network24h = 0, 0
if network then network1h, network24h = window(network) end
local domain1h, domain24h = window(domain)
redis.call('PEXPIRE', mailbox, ttl)
local mailbox24h = 1
if redis.call('ZCARD', mailbox) > 2 then
  redis.call('ZREMRANGEBYSCORE', mailbox, -day, day)
  mailbox24h = redis.call('ZCOUNT', mailbox, '-inf', 0)
end
return {
  admitted, remaining, retryAt, credit, 1,
  network1h, network24h, domain1h, domain24h, mailbox24h,
  at < partialUntil and 1 or 0,
}
