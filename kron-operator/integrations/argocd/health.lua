-- The health of a KronJob for Argo CD. Without it, Argo CD shows every KronJob as healthy.
local health = {}
local status = obj.status
if status == nil or status.conditions == nil then
  health.status = "Progressing"
  health.message = "The operator has not read this KronJob yet"
  return health
end
if status.observedGeneration ~= nil and obj.metadata.generation ~= nil
    and status.observedGeneration < obj.metadata.generation then
  health.status = "Progressing"
  health.message = "The operator has not read the newest spec yet"
  return health
end

local conditions = {}
for _, condition in ipairs(status.conditions) do
  conditions[condition.type] = condition
end
for _, name in ipairs({ "InvalidSpec", "SchedulingError" }) do
  local condition = conditions[name]
  if condition ~= nil and condition.status == "True" then
    health.status = "Degraded"
    health.message = condition.reason .. ": " .. condition.message
    return health
  end
end
if obj.spec.policy ~= nil and obj.spec.policy.suspend == true then
  health.status = "Suspended"
  health.message = "Suspended"
  return health
end
if status.lastOutcome == "missed" then
  health.status = "Degraded"
  health.message = "The start of " .. status.lastChosenTime .. " was missed"
  return health
end
-- Without a next start, no second of any period to come is allowed.
local unschedulable = conditions["Unschedulable"]
local blocked = unschedulable ~= nil and unschedulable.status == "True"
if blocked and status.nextChosenTime == nil then
  health.status = "Degraded"
  health.message = unschedulable.reason .. ": " .. unschedulable.message
  return health
end
-- The status does not say which period an active Job is for, so a failure shows only once no Job is active.
-- All times of a status have one form, so their texts are in the order of time.
local active = status.active ~= nil and #status.active > 0
if status.lastOutcome == "executed" and not active
    and (status.lastSuccessfulTime == nil or status.lastSuccessfulTime < status.lastChosenTime) then
  health.status = "Degraded"
  health.message = "The Job that started at " .. status.lastChosenTime .. " did not succeed"
  return health
end

health.status = "Healthy"
if status.nextChosenTime ~= nil then
  health.message = "Next start: " .. status.nextChosenTime
else
  health.message = "No start is to come"
end
if blocked then
  health.message = health.message .. "; " .. unschedulable.message
end
return health
