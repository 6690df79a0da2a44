import { type ChildProcessByStdio, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Watched } from '../../support/watched-service.js'

it.runIf(process.platform === 'linux')(
  'a stall of the machine is measured, and is not part of a hold',
  async () => {
    const child = fork(new URL('../fixtures/busy.mjs', import.meta.url), {
      execArgv: ['--import', new URL('../../support/process-watch.mjs', import.meta.url).href],
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    })
    const { stdin, stdout } = child as ChildProcessByStdio<Writable, Readable, null>
    const take = async (): Promise<Watched> => {
      child.send({ command: 'take' })
      return (await once(child, 'message'))[0]
    }
    await once(stdout, 'data')
    await take()
    // From 300 ms of processor time the stalls of a busy machine are subtracted, which may be most of it.
    const hold = async () => {
      stdin.write('300')
      await once(stdout, 'data')
      return (await take()).held
    }
    await expect.poll(hold).toBeGreaterThan(75)
    // All of its threads stop, the monitor thread too, and none of them is in the run queue.
    const stop = async () => {
      child.kill('SIGSTOP')
      await sleep(400)
      child.kill('SIGCONT')
      const { stalled, held } = await take()
      return [stalled > 150, held < 50]
    }
    await expect.poll(stop).toEqual([true, true])
    child.kill()
  },
)
