import { readdirSync, readFileSync } from 'node:fs'
import type { RedisClient } from '#dist/store/redis/redis-client.js'

/** Statistics of Redis: commands of clients, bytes in both directions, and processor seconds. */
export async function usageOf(client: RedisClient) {
  const info = await client.info('everything')
  const value = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1])
  return {
    commands: value('total_commands_processed'),
    scripts: Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(info)?.[1] ?? 0),
    bytes: value('total_net_input_bytes') + value('total_net_output_bytes'),
    cpu: value('used_cpu_user') + value('used_cpu_sys'),
  }
}

/** Processor time of all threads of a process in microseconds, in the system's best resolution. */
export function processorTime(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  return nanoseconds / 1000
}
