import { alertLeaseMs } from '../../contract/storage/alerts.js'
import type { AlertPeers } from '../alert-rows.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis, releaseLease } from './redis-commands.js'
import { failing } from './redis-rows.js'

const leaseKeys = ['{alerts}:lease']
const channel = 'alerts'

/** ARGV: token, milliseconds of the lease. Takes or renews the lease for the process with the token. */
const leaseScript = createScript(`${leaseOfRedis}
if isHeld(KEYS[1], ARGV[2]) and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`)

/** The nodes that share the alerts. One node at a time has the lease to run them. `token` is the value of its lease. */
export function createAlertPeers(redis: Redis, token: string): AlertPeers {
  let onText: (text: string) => void = () => {}
  void redis.channels.listen(channel, text => onText(text.toString()))
  return {
    marksChanges: true,
    async lease() {
      const reply = redis.persistent.run(leaseScript, leaseKeys, [token, alertLeaseMs])
      return (await failing('lease alerts', reply)) === 1
    },
    async release() {
      await redis.persistent.run(releaseLease, leaseKeys, [token]).catch(() => {})
    },
    send(text) {
      redis.commands.command('PUBLISH', redis.channels.nameOf(channel), text).catch(() => {})
    },
    listen(listener) {
      onText = listener
    },
  }
}
