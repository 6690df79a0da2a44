import { randomBytes } from 'node:crypto'
import type { RedisClient } from './redis-client.js'
import { evaluate } from './redis-commands.js'
import { createScript, timeOfRedis } from './script.js'

/** A node without a heartbeat for so many milliseconds is dead, and stays known as such for an hour. */
export const nodeTtlMs = 5000
export const deadNodeMs = 3_600_000

/**
 * Registers that a node lives. Answers whether it was known and not taken for dead, the dead nodes, and how many live. A node
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
return { isAlive and 1 or 0, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (now - ttl)), redis.call('ZCOUNT', KEYS[1], now - ttl, '+inf') }
`)

const nodesKey = 'nodes'

/** The name of this node among all that share Redis, and what is known of the others. */
export class Registration {
  #nodeId = newNodeId()
  #isKnown = false
  #deadNodes: readonly string[] = []
  #living = 0

  /** Under which this node counts. It changes when others have taken the node for dead. */
  get nodeId(): string {
    return this.#nodeId
  }

  /** Nodes whose counts are void. */
  get deadNodes(): readonly string[] {
    return this.#deadNodes
  }

  /** The nodes that lived at the last heartbeat, this one included. One that has ended counts as long as `nodeTtlMs`. */
  get living(): number {
    return this.#living
  }

  /** Registers once more. Answers whether this node is new, for itself or for the others. */
  async renew(client: RedisClient): Promise<boolean> {
    const args = [this.#nodeId, nodeTtlMs, deadNodeMs]
    const reply = await evaluate(client, heartbeat, [nodesKey], args)
    const [isAlive, dead, living] = reply as [number, string[], number]
    if (this.#isKnown && isAlive === 0) {
      // The others drop what this node has counted under its name, or Redis has lost it.
      this.#nodeId = newNodeId()
      this.#isKnown = false
      return this.renew(client)
    }
    const isNew = !this.#isKnown
    this.#isKnown = true
    this.#deadNodes = dead
    this.#living = living
    return isNew
  }
}

const newNodeId = () => randomBytes(9).toString('base64url')
