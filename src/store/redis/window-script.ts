import { createScript, timeOfRedis } from './script.js'

/** What a node asks of the window of one account, and tells about it. */
export interface WindowDemand {
  readonly limit: number
  /** Requests to take. */
  takes: number
  /** Requests to give back, of the window that ends at `backEnds`. */
  back: number
  backEnds: number
  /** Requests that this node has taken in advance and still holds. */
  held: number
  /** Whether this node counts and holds nothing from now on. */
  settles: boolean
  /** Whether what other nodes hold counts as used. */
  isFinal: boolean
  /** What this node has counted by itself in a window that ends at `countedEnds`; 0 for both where it has no window. */
  counted: number
  countedEnds: number
}

export interface WindowAnswer {
  /** How many of the requests are allowed. */
  readonly granted: number
  /** How many more this node may allow by itself; of an owner, how many it has counted. */
  readonly inAdvance: number
  /** Requests that no node has taken. */
  readonly left: number
  /** What other nodes have taken in advance, as far as they have said. */
  readonly heldByOthers: number
  /** Whether nodes take nothing in advance any more, because the limit was reached. */
  readonly isScarce: boolean
  /** Whether other nodes may give something back that a refused request could have. */
  readonly mayReturn: boolean
  /** When the window ends, by the clock of Redis. */
  readonly ends: number
  /** Whether this node counts this window and later ones by itself, until another node asks. */
  readonly isOwner: boolean
}

/** What is the same for all demands of a command. */
export interface WindowContext {
  readonly windowMs: number
  readonly nodeId: string
  /** Where nodes are asked to give back what they hold. */
  readonly channel: string
  /** Nodes that do not count any more, and when that was seen. */
  readonly deadNodes: readonly string[]
  readonly seenAt: number
}

/** Milliseconds for which a node may count the windows of an account by itself before it has to ask again. */
export const ownMs = 600_000
/** After two nodes were asked for an account, none of them counts it by itself for so many milliseconds. */
const sharedMs = 60_000
/** What a refused request waits where another node counts and does not answer. */
const unknownMs = 3000

/**
 * The windows of several accounts, in a hash each. As long as one node asks for an account, it is the `owner` since the
 * time `since` and counts by itself. When another node asks, the owner is told to give back what it has counted. From then
 * on, until `shared`, the hash says how much is `used` or held by nodes, when the window `ends`, whether it is `scarce`, and
 * under `n:<node>` what each node held when it asked last. While there is plenty, a node is given half of what is left in
 * advance, or a quarter where other nodes have asked, too. The first request that is one too many makes the window scarce:
 * all nodes are asked to give back what they hold, and take single requests from then on.
 *
 * The windows of an owner that is dead begin anew. A node that was given them after it was seen dead is not.
 *
 * A time that is still to come, by more than it may be, dates from before the clock of Redis was set back.
 *
 * Each demand and each answer is one text, because every value of its own costs the client as much as a text.
 */
export const takeWindows = createScript(`${timeOfRedis}
local size, me, channel, seenAt = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4])
local node, first = 'n:' .. me, 5 + ARGV[5]
local dead = {}
for i = 6, first do dead[ARGV[i]] = true end
local demand = '(%d+) (%d+) (%d+) (%d+) (%d+) (%d) (%d) (%d+) (%d+)'
local answer = { now }
for i, key in ipairs(KEYS) do
  local limit, takes, back, backEnds, held, settles, isFinal, counted, countedEnds = string.match(ARGV[first + i], demand)
  limit, takes, back, backEnds, held = tonumber(limit), tonumber(takes), tonumber(back), tonumber(backEnds), tonumber(held)
  settles, isFinal = settles == '1', isFinal == '1'
  local used, ends, scarce, others, heldByOthers, owner, since, shared = 0, 0, 0, 0, 0, '', 0, 0
  local stored = redis.call('HGETALL', key)
  for j = 1, #stored, 2 do
    local name, text = stored[j], stored[j + 1]
    local value = tonumber(text)
    if name == 'used' then used = value
    elseif name == 'ends' then ends = value
    elseif name == 'scarce' then scarce = value
    elseif name == 'owner' then owner = text
    elseif name == 'since' then since = value
    elseif name == 'shared' then shared = math.min(value, now + ${sharedMs})
    elseif name ~= node then
      others = others + 1
      heldByOthers = heldByOthers + value
    end
  end
  local isForeign = owner ~= '' and owner ~= me
  if isForeign and since > now then
    since = 0
    redis.call('HSET', key, 'since', 0)
    redis.call('PEXPIRE', key, ${ownMs} + size)
  end
  if isForeign and not (dead[owner] and since < seenAt) then
    redis.call('PUBLISH', channel, owner .. ' ' .. string.match(key, '{(.*)}'))
    answer[i + 1] = string.format('0 0 0 0 0 %d %.0f 0', isFinal and 0 or 1, now + ${unknownMs})
  else
    if owner == me then used, ends = tonumber(counted), math.min(tonumber(countedEnds), now + size) end
    local isOpen = ends > now and ends <= now + size
    if not isOpen then
      used, ends, scarce, others, heldByOthers = 0, now + size, 0, 0, 0
    end
    if isOpen and backEnds == ends then used = math.max(0, used - back) end
    local granted = math.max(0, math.min(takes, limit - used))
    used = used + granted
    local isOwner = others == 0 and held == 0 and scarce == 0 and shared <= now and not settles
      and (takes > 0 or owner == me)
    local inAdvance, mayReturn = 0, 0
    if isOwner then
      if owner ~= me then
        redis.call('DEL', key)
        redis.call('HSET', key, 'owner', me)
      end
      redis.call('HSET', key, 'since', now)
      redis.call('PEXPIRE', key, ${ownMs} + size)
      inAdvance = used
    else
      if owner ~= '' or (not isOpen and #stored > 0) then redis.call('DEL', key) end
      if isOpen and settles then redis.call('HDEL', key, node) end
      if granted < takes and others > 0 and not isFinal then
        mayReturn = 1
        scarce = 1
        redis.call('PUBLISH', channel, '* ' .. string.match(key, '{(.*)}'))
      end
      if scarce == 0 and granted > 0 then
        inAdvance = math.floor(math.max(0, limit - used) / (others == 0 and 2 or 4))
        used = used + inAdvance
        redis.call('HSET', key, node, held + inAdvance)
      end
      if owner ~= '' or others > 0 then shared = now + ${sharedMs} end
      -- A window is opened by a request that is counted.
      local hasWindow = isOpen or granted > 0
      if hasWindow then redis.call('HSET', key, 'used', used, 'ends', ends, 'scarce', scarce) end
      -- A node that has counted may be given something back.
      if hasWindow and owner == me and inAdvance == 0 then redis.call('HSET', key, node, 0) end
      if shared > now then redis.call('HSET', key, 'shared', shared) end
      if hasWindow or shared > now then redis.call('PEXPIREAT', key, math.max(hasWindow and ends or 0, shared)) end
    end
    answer[i + 1] = string.format('%d %d %d %d %d %d %.0f %d', granted, inAdvance, math.max(0, limit - used),
      heldByOthers, scarce, mayReturn, ends, isOwner and 1 or 0)
  end
end
return answer
`)

/** The arguments of the script for demands in the order of their keys. */
export function windowArguments(
  { windowMs, nodeId, channel, deadNodes, seenAt }: WindowContext,
  demands: Iterable<WindowDemand>,
): (string | number)[] {
  const args: (string | number)[] = [windowMs, nodeId, channel, seenAt, deadNodes.length, ...deadNodes]
  for (const demand of demands) {
    const { limit, takes, back, backEnds, held, counted, countedEnds } = demand
    const flags = `${demand.settles ? 1 : 0} ${demand.isFinal ? 1 : 0}`
    args.push(`${limit} ${takes} ${back} ${backEnds} ${held} ${flags} ${counted} ${countedEnds}`)
  }
  return args
}

/** The answer of the script about one key. */
export function readWindowAnswer(text: string): WindowAnswer {
  const [granted, inAdvance, left, heldByOthers, isScarce, mayReturn, ends, isOwner] = text
    .split(' ')
    .map(Number) as [number, number, number, number, number, number, number, number]
  return {
    granted,
    inAdvance,
    left,
    heldByOthers,
    isScarce: isScarce === 1,
    mayReturn: mayReturn === 1,
    ends,
    isOwner: isOwner === 1,
  }
}
