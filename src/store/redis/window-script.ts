import { createScript, timeOfEngine } from './script.js'

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
  /** Whether this node holds none from now on. */
  settles: boolean
  /** Whether what other nodes hold counts as used. */
  isFinal: boolean
}

export interface WindowAnswer {
  /** How many of the requests are allowed. */
  readonly granted: number
  /** How many more this node may allow by itself. */
  readonly inAdvance: number
  /** Requests that no node has taken. */
  readonly left: number
  /** What other nodes have taken in advance, as far as they have said. */
  readonly heldByOthers: number
  /** Whether nodes take nothing in advance any more, because the limit was reached. */
  readonly isScarce: boolean
  /** Whether other nodes may give something back that a refused request could have. */
  readonly mayReturn: boolean
  /** When the window ends, by the clock of the engine. */
  readonly ends: number
}

/**
 * The windows of several accounts, in a hash each: how much is `used` or held by nodes, when it `ends`, whether it is
 * `scarce`, and under `n:<node>` what each node held when it asked last. While there is plenty, a node is given half of
 * what is left in advance, or a quarter where other nodes have asked, too. The first request that is one too many makes the window scarce: all nodes are
 * asked to give back what they hold, and take single requests from then on.
 *
 * Each demand and each answer is one text, because every value of its own costs the client as much as a text.
 */
export const takeWindows = createScript(`${timeOfEngine}
local size, node, channel = tonumber(ARGV[1]), 'n:' .. ARGV[2], ARGV[3]
local demand = '(%d+) (%d+) (%d+) (%d+) (%d+) (%d) (%d)'
local answer = { now }
for i, key in ipairs(KEYS) do
  local limit, takes, back, backEnds, held, settles, isFinal = string.match(ARGV[3 + i], demand)
  limit, takes, back, backEnds, held = tonumber(limit), tonumber(takes), tonumber(back), tonumber(backEnds), tonumber(held)
  settles, isFinal = settles == '1', isFinal == '1'
  local used, ends, scarce, others, heldByOthers = 0, 0, 0, 0, 0
  local stored = redis.call('HGETALL', key)
  for j = 1, #stored, 2 do
    local name, value = stored[j], tonumber(stored[j + 1])
    if name == 'used' then used = value
    elseif name == 'ends' then ends = value
    elseif name == 'scarce' then scarce = value
    elseif name ~= node then
      others = others + 1
      heldByOthers = heldByOthers + value
    end
  end
  local isOpen = ends > now and ends <= now + size
  if not isOpen then
    used, ends, scarce, others, heldByOthers = 0, now + size, 0, 0, 0
    if #stored > 0 then redis.call('DEL', key) end
  end
  local before = used
  if isOpen and backEnds == ends then used = math.max(0, used - back) end
  if isOpen and settles then redis.call('HDEL', key, node) end
  local granted = math.max(0, math.min(takes, limit - used))
  local mayReturn = 0
  if granted < takes and others > 0 and not isFinal then
    mayReturn = 1
    if scarce == 0 then redis.call('HSET', key, 'scarce', 1) end
    scarce = 1
    redis.call('PUBLISH', channel, string.match(key, '{(.*)}'))
  end
  used = used + granted
  local inAdvance = 0
  if scarce == 0 and granted > 0 then
    inAdvance = math.floor(math.max(0, limit - used) / (others == 0 and 2 or 4))
    used = used + inAdvance
    redis.call('HSET', key, node, held + inAdvance)
  end
  if used ~= before then
    redis.call('HSET', key, 'used', used, 'ends', ends)
    if not isOpen then redis.call('PEXPIRE', key, size) end
  end
  answer[i + 1] = string.format('%d %d %d %d %d %d %.0f', granted, inAdvance, math.max(0, limit - used), heldByOthers, scarce, mayReturn, ends)
end
return answer
`)

/** The arguments of the script for demands in the order of their keys. `channel` is where nodes are asked to give back. */
export function windowArguments(
  windowMs: number,
  nodeId: string,
  channel: string,
  demands: Iterable<WindowDemand>,
): (string | number)[] {
  const args: (string | number)[] = [windowMs, nodeId, channel]
  for (const { limit, takes, back, backEnds, held, settles, isFinal } of demands)
    args.push(`${limit} ${takes} ${back} ${backEnds} ${held} ${settles ? 1 : 0} ${isFinal ? 1 : 0}`)
  return args
}

/** The answer of the script about one key. */
export function readWindowAnswer(text: string): WindowAnswer {
  const [granted, inAdvance, left, heldByOthers, scarce, mayReturn, ends] = text.split(' ').map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    granted,
    inAdvance,
    left,
    heldByOthers,
    isScarce: scarce === 1,
    mayReturn: mayReturn === 1,
    ends,
  }
}
