-- KEYS: blocks of the bucket's window, state, blocks, domain, mailbox, network (absent without one).
-- ARGV: time, bucket, length of the window (0 for none), requests it admits, month, cap (-1 for none), credits known to be
--   used, whether that number is exact, size of a block, id, address, which of the mailbox's addresses it is, whether to
--   count in an account that is not marked as complete.
-- Returns, as one text, which a node reads faster than a list: admitted, remaining, retry at; credit (0 unknown, 1 reserved,
--   2 refused); if nothing was refused, whether the attempt was counted; if it was, network 1 h and 24 h, domain 1 h and
--   24 h, mailbox 24 h, whether partial.
local at = tonumber(ARGV[1])
local first, between, last = 'h' .. ARGV[2], 'n' .. ARGV[2], 'l' .. ARGV[2]
-- The account's latest time, attempts in the open block, the time up to which all is forgotten, the time until which
-- counts are partial, the mark of a complete account, until when keys may contain future times because the clock was
-- set back; the month whose credits are counted, and how many are used; the window.
local state = redis.call('HMGET', KEYS[2], 't', 'b', 'f', 'p', 'm', 'u', 'k', 'c', first, between, last)
local before = tonumber(state[1] or 0)
-- Fields of the state whose values are new, each with its value.
local changed = {}

local function save()
  if #changed > 0 then redis.call('HSET', KEYS[2], unpack(changed)) end
  -- Renewed once an hour, for two days: longer than the one day that it is needed.
  if hour_of(at) ~= hour_of(before) then redis.call('PEXPIRE', KEYS[2], 2 * DAY_MS) end
end

local admitted, remaining, retryAt = 1, 0, 0
local windowMs = tonumber(ARGV[3])
if windowMs > 0 then
  local window = window_of(state[9], state[10], state[11])
  admitted, remaining, retryAt = meter(KEYS[1], windowMs, window, at, tonumber(ARGV[4]), true)
  changed = { last, window.last }
  if window.first ~= (state[9] or '') then changed[3], changed[4] = first, window.first end
  if window.between ~= tonumber(state[10] or 0) then
    local size = #changed
    changed[size + 1], changed[size + 2] = between, text(window.between)
  end
  if admitted == 0 then
    save()
    return string.format('%d %d %d 0', admitted, remaining, retryAt)
  end
end

local credit = 0
local cap = tonumber(ARGV[6])
if cap >= 0 then
  local month, counted = ARGV[5], state[7] or ''
  local used = tonumber(ARGV[7])
  if ARGV[8] == '0' and counted == month then used = math.max(used, tonumber(state[8])) end
  if used >= cap then
    save()
    return string.format('%d %d %d 2', admitted, remaining, retryAt)
  end
  credit = 1
  -- A node whose month ends late does not bring the last one back.
  if counted <= month then
    local size = #changed
    changed[size + 1], changed[size + 2] = 'c', text(used + 1)
    if counted ~= month then changed[size + 3], changed[size + 4] = 'k', month end
  end
end

if not state[5] and ARGV[13] == '0' then
  save()
  return string.format('%d %d %d %d 0', admitted, remaining, retryAt, credit)
end
local filled, forgotten, partialUntil = tonumber(state[2] or 0), tonumber(state[3] or 0), tonumber(state[4] or 0)
local dropUntil = tonumber(state[6] or 0)
local domain, mailbox, network = KEYS[4], KEYS[5], KEYS[6]
if before > at + CLOCK_STEP_MS then
  dropUntil = at + DAY_MS + SLACK_MS
  partialUntil = math.min(partialUntil, at + DAY_MS)
  redis.call('HSET', KEYS[2], 'u', dropUntil, 'p', partialUntil)
else
  at = math.max(at, before)
end
local atText = text(at)
if at < dropUntil then drop_future(network, domain, mailbox, atText) end
local added = add_to_mailbox(mailbox, ARGV[10], atText, ARGV[12])
if added > 0 then filled, forgotten = fill(KEYS[3], filled, tonumber(ARGV[9]), atText, forgotten) end
if forgotten > at then forgotten = 0 end
local day, ttl = at - DAY_MS, DAY_MS
-- How much longer than needed a key lives that is renewed once an hour. Where something is forgotten, it is always renewed.
local spare = HOUR_MS
local renew = forgotten > day - HOUR_MS
if forgotten > day then
  -- The account can only remember a shorter time now: keys expire after that time, and counts of the day are partial.
  day = math.min(forgotten, at - 1)
  ttl, spare = at - day + SLACK_MS, 0
  partialUntil = at + DAY_MS
  redis.call('HSET', KEYS[2], 'f', forgotten, 'p', partialUntil)
end
local size = #changed
changed[size + 1], changed[size + 2] = 't', atText
changed[size + 3], changed[size + 4] = 'b', text(filled)
save()

local hourMark, dayText, hourText = text(hour_of(at)), text(day), '(' .. text(at - HOUR_MS)
local kept, ttlText = text(ttl + spare), text(ttl)

-- Adds an attempt. Only when its hour mark changes are old entries removed and is the expiry renewed. Returns the counts
-- of the hour and the day.
local function count_in(key, entry)
  local due = true
  if added > 0 then due = redis.call('ZADD', key, 'CH', hourMark, HOUR_MARK, atText, entry) > 1 end
  if due or renew then
    if expire_new(key, kept) then return 1, 1 end
    redis.call('PEXPIRE', key, kept)
    redis.call('ZREMRANGEBYSCORE', key, '(' .. hourMark, dayText)
  end
  local total = redis.call('ZCOUNT', key, '(' .. dayText, '+inf')
  if total < 2 then return total, total end
  return redis.call('ZCOUNT', key, hourText, '+inf'), total
end

local network1h, network24h = 0, 0
if network then network1h, network24h = count_in(network, ARGV[10]) end
local domain1h, domain24h = count_in(domain, ARGV[11])
local mailbox24h = 1
if added < 2 or not expire_new(mailbox, ttlText) then
  redis.call('PEXPIRE', mailbox, ttlText)
  redis.call('ZREMRANGEBYSCORE', mailbox, '-' .. dayText, dayText)
  mailbox24h = redis.call('ZCOUNT', mailbox, '-inf', '0')
end
return string.format(
  '%d %d %d %d 1 %d %d %d %d %d %d', admitted, remaining, retryAt, credit,
  network1h, network24h, domain1h, domain24h, mailbox24h, at < partialUntil and 1 or 0
)
