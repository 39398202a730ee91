-- The sliding window of one bucket: the times it admitted, the oldest first. Time stands still rather than going back a
-- little; after a clock was set back by more, everything keeps its age.
local LOOK = 16
-- A slow clock elsewhere must not end a window early.
local SLACK_MS = 60000
-- The same as in clock-step.ts.
local CLOCK_STEP_MS = 60000
local WINDOW_SHARE = 0.2

local function shift(bucket, back)
  local times = redis.call('LRANGE', bucket, 0, -1)
  for at = 1, #times do redis.call('LSET', bucket, at - 1, tonumber(times[at]) - back) end
end

local function meter(bucket, now, windowMs, admits, counting)
  local held = 0
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
      held = redis.call('LLEN', bucket)
    end
  end
  while held > 0 do
    local oldest = redis.call('LRANGE', bucket, 0, LOOK - 1)
    local gone = 0
    while gone < #oldest and now - tonumber(oldest[gone + 1]) >= windowMs do gone = gone + 1 end
    if gone > 0 then redis.call('LPOP', bucket, gone) end
    held = held - gone
    if gone < LOOK then break end
  end
  local admitted = 0
  if held < admits then
    admitted = 1
    if counting then
      redis.call('RPUSH', bucket, now)
      redis.call('PEXPIRE', bucket, windowMs + SLACK_MS)
      held = held + 1
    end
  end
  if held < admits then return admitted, admits - held, now end
  local blocking = now
  if admits > 0 then blocking = tonumber(redis.call('LINDEX', bucket, held - admits)) end
  return admitted, 0, blocking + windowMs
end
