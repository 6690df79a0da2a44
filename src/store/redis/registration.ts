import { randomBytes } from 'node:crypto'
import { pause } from '../../runtime/pause.js'
import type { RedisClient } from './redis-client.js'
import { evaluate } from './redis-commands.js'
import { createScript, timeOfRedis } from './script.js'

/** A node without a heartbeat for so many milliseconds is dead, and stays known as such for an hour. */
export const nodeTtlMs = 5000
export const deadNodeMs = 3_600_000

/**
 * Registers that a node lives. Answers whether it was known and not taken for dead, and the dead nodes. A node
 * that is dead for the others must not come back under its name, because they drop what it counts. A heartbeat that is
 * still to come was given before Redis's clock was set back, and counts as one of now.
 */
const heartbeat = createScript(`${timeOfRedis}
for _, node in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
  redis.call('ZADD', KEYS[1], now, node)
end
local last = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
local ttl = tonumber(ARGV[2])
local isAlive = last and last >= now - ttl
if not last or isAlive then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
return { isAlive and 1 or 0, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (now - ttl)) }
`)

const nodesKey = 'nodes'
/** Milliseconds between two looks at the heartbeats of other nodes. */
const lookMs = 200

/** The name of this node among all that share Redis, and what is known of the others. */
export class Registration {
  #nodeId = newNodeId()
  #isKnown = false
  #deadNodes: readonly string[] = []

  /** Under which this node counts. It changes when others have taken the node for dead. */
  get nodeId(): string {
    return this.#nodeId
  }

  /** Nodes whose counts are void. */
  get deadNodes(): readonly string[] {
    return this.#deadNodes
  }

  /** Registers once more. Answers whether this node is new, for itself or for the others. */
  async renew(client: RedisClient): Promise<boolean> {
    const args = [this.#nodeId, nodeTtlMs, deadNodeMs]
    const [isAlive, dead] = (await evaluate(client, heartbeat, [nodesKey], args)) as [number, string[]]
    if (this.#isKnown && isAlive === 0) {
      // The others drop what this node has counted under its name, or Redis has lost it.
      this.#nodeId = newNodeId()
      this.#isKnown = false
      return this.renew(client)
    }
    const isNew = !this.#isKnown
    this.#isKnown = true
    this.#deadNodes = dead
    return isNew
  }
}

/**
 * Counts the nodes beside `own` whose heartbeat is renewed. One that has just ended is known to be dead only when it could
 * have been renewed several times. `read` runs a command.
 */
export async function countOthers(
  own: string,
  read: (name: string, ...args: string[]) => Promise<unknown>,
): Promise<number> {
  const beats = async () => {
    // Pairs, or one list, by the version of the protocol.
    const fields = ((await read('ZRANGE', nodesKey, '0', '-1', 'WITHSCORES')) as string[]).flat()
    return new Map(
      fields.flatMap((node, at) => (at % 2 === 0 ? [[node, String(fields[at + 1])] as const] : [])),
    )
  }
  const first = await beats()
  const end = performance.now() + nodeTtlMs
  for (;;) {
    const now = await beats()
    const others = [...now.keys()].filter(node => node !== own)
    const renewed = others.filter(node => now.get(node) !== first.get(node))
    if (renewed.length === others.length || performance.now() > end) return renewed.length
    await pause(lookMs)
  }
}

const newNodeId = () => randomBytes(9).toString('base64url')
