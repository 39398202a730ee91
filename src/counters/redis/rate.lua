-- The sliding window of one bucket: the times it admitted, oldest first. A slightly earlier time counts as the latest
-- time; after the clock was set back by more, everything keeps its age.
local PAGE = 16
-- A node with a slow clock must not end a window early.
local SLACK_MS = 60000
-- The same as in clock-step.ts.
local CLOCK_STEP_MS = 60000
local WINDOW_SHARE = 0.2

local function shift(bucket, back)
  local times = redis.call('LRANGE', bucket, 0, -1)
  for at = 1, #times do redis.call('LSET', bucket, at - 1, tonumber(times[at]) - back) end
end

local function meter(bucket, now, windowMs, admits, counting)
  local count = 0
  local newest = redis.call('LINDEX', bucket, -1)
  if newest then
    newest = tonumber(newest)
    if newest > now + math.min(CLOCK_STEP_MS, windowMs * WINDOW_SHARE) then
      shift(bucket, newest - now)
    elseif newest > now then
      now = newest
    end
    if now - newest >= windowMs then
      redis.call('DEL', bucket)
    else
      count = redis.call('LLEN', bucket)
    end
  end
  while count > 0 do
    local oldest = redis.call('LRANGE', bucket, 0, PAGE - 1)
    local gone = 0
    while gone < #oldest and now - tonumber(oldest[gone + 1]) >= windowMs do gone = gone + 1 end
    if gone > 0 then redis.call('LPOP', bucket, gone) end
    count = count - gone
    if gone < PAGE then break end
  end
  local admitted = 0
  if count < admits then
    admitted = 1
    if counting then
      redis.call('RPUSH', bucket, now)
      redis.call('PEXPIRE', bucket, windowMs + SLACK_MS)
      count = count + 1
    end
  end
  if count < admits then return admitted, admits - count, now end
  local blocking = now
  if admits > 0 then blocking = tonumber(redis.call('LINDEX', bucket, count - admits)) end
  return admitted, 0, blocking + windowMs
end
