import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { drivers } from '../support/drivers.js'
import { RawClient } from '../support/raw-client.js'
import { CandelaProcess } from '../support/service-process.js'

// A balancer keeps connections to the service open, and sends requests on them until it has seen that the service stops.

/** Option of tests that end the service in more ways. `unit/operate/shutdown.test.ts` has the signals. */
const faults = { tags: ['faults'] }

for (const [at, { name }] of drivers.entries())
  describe(`the end of a service behind a balancer, on '${name}'`, at === 0 ? {} : faults, () => {
    let candela: CandelaProcess
    const clients: RawClient[] = []

    /** Drain time and time for requests, longer than any test. A service that ends earlier ends for another reason. */
    const forever = '600'
    const start = async (drainSeconds = forever) => {
      candela = await CandelaProcess.start({
        TRANSPORT: name,
        DRAIN_SECONDS: drainSeconds,
        SHUTDOWN_SECONDS: forever,
      })
    }
    const open = async () => {
      const client = await RawClient.open(Number(new URL(candela.url).port))
      clients.push(client)
      return client
    }
    /** Sends a request, and resolves with the bytes that arrive for it. */
    const ask = async (client: RawClient, request: string, body = '') => {
      const from = client.text.length
      await client.write(
        `${request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${candela.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      const isWhole = (text: string) => {
        const [head = '', content = ''] = text.slice(from).split('\r\n\r\n')
        return content.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      }
      return (await client.until(isWhole)).slice(from)
    }
    const closes = /\r\nconnection: close\r\n/i
    const candle = { open: 1, high: 2, low: 1, close: 2, volume: 1 }
    const indicator = JSON.stringify({ candles: Array(20).fill(candle), period: 3 })
    /** Resolves when the service reports that it stops. */
    const isStopping = async () => {
      for (;;) if ((await ask(await open(), 'GET /health/ready')).startsWith('HTTP/1.1 503')) return
    }

    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close()
      candela.child.kill('SIGKILL')
    })

    it('answers requests on open and new connections, and ends with the last of them', async () => {
      await start()
      const kept = await open()
      const answered = await ask(kept, 'POST /indicator/sma', indicator)
      expect(answered).toMatch(/^HTTP\/1\.1 200 /)
      expect(answered).not.toMatch(closes)
      const exited = once(candela.child, 'exit')
      candela.child.kill('SIGTERM')
      await isStopping()
      for (const client of [kept, await open()]) {
        const last = await ask(client, 'POST /indicator/sma', indicator)
        expect(last).toMatch(/^HTTP\/1\.1 200 /)
        // A client that ends its connection opens another one, which the system may have accepted and the service never does.
        expect(last).not.toMatch(closes)
      }
      // Once the last connection is ended, nothing is waited for.
      for (const client of clients.splice(0)) await client.close()
      expect((await exited)[0]).toBe(0)
    })

    it('accepts no more connections in the end, and tells clients to end those that are open', async () => {
      await start('1')
      const kept = await open()
      await ask(kept, 'GET /health/live')
      const exited = once(candela.child, 'exit')
      candela.child.kill('SIGTERM')
      const isRefused = () =>
        open().then(
          () => false,
          ({ code }) => code === 'ECONNREFUSED',
        )
      while (!(await isRefused())) await sleep(10)
      const last = await ask(kept, 'POST /indicator/sma', indicator)
      expect(last).toMatch(/^HTTP\/1\.1 200 /)
      expect(last).toMatch(closes)
      for (const client of clients.splice(0)) await client.close()
      expect((await exited)[0]).toBe(0)
    })

    it('ends at once on SIGINT, and on a second SIGTERM, while connections are open', faults, async () => {
      for (const signals of [['SIGINT'], ['SIGTERM', 'SIGTERM']] as const) {
        await start()
        const kept = await open()
        await ask(kept, 'GET /health/live')
        const exited = once(candela.child, 'exit')
        candela.child.kill(signals[0])
        if (signals.length > 1) {
          await isStopping()
          candela.child.kill(signals[1])
        }
        expect((await exited)[0]).toBe(signals.length > 1 ? 143 : 0)
      }
    })

    it('ends at once on SIGTERM where no HTTP connection is open', faults, async () => {
      await start()
      const exited = once(candela.child, 'exit')
      candela.child.kill('SIGTERM')
      expect((await exited)[0]).toBe(0)
    })
  })
