import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CandelaProcess } from '../support/service-process.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a service that is expected to end by itself. */
const run = (settings: Readonly<Record<string, string>>, flags: readonly string[] = []) =>
  spawnSync(process.execPath, [...flags, 'dist/main.js'], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'error', ...settings },
    encoding: 'utf8',
  })

/** Arguments of `unshare` that run Node.js with process ids of its own, as in a container. */
const isolated = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath]
const canIsolate =
  process.platform === 'linux' && spawnSync('unshare', [...isolated, '--version']).status === 0

const embedded = new URL('../../dist/store/embedded/embedded.js', import.meta.url).href

describe('starting', () => {
  let first: CandelaProcess
  beforeAll(async () => {
    first = await CandelaProcess.start()
  })
  afterAll(() => first.stop())

  it('prints a working curl command on the first start, and no key on the second', async () => {
    const curl = /^curl .*$/m.exec(first.greeting)?.[0] ?? ''
    const { value, timestamp } = JSON.parse(
      execFileSync('sh', ['-c', curl], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    )
    expect(value).toHaveLength(1)
    expect(timestamp).toHaveLength(1)
    expect(first.greeting).toMatch(/^The chart, signed in: http:\/\/127\.0\.0\.1:\d+\/#key=cnd_\S+$/m)
    expect(await first.cli('keys', 'list')).toContain('enterprise')

    // While the first one runs, its port is taken: a second one must report the conflict instead of sharing the port.
    const port = new URL(first.url).port
    const second = run({ DATA_DIR: join(first.dataDir, 'second'), PORT: port })
    expect(second.status).toBe(1)
    expect(second.stderr).toContain(`cannot listen on 127.0.0.1:${port}`)
    expect(second.stdout).not.toContain('First key')
  })

  it('is refused on the data directory of a service that runs, before anything is touched', async () => {
    const { dataDir } = first
    // As a service has it that has not written for a while.
    const journal = join(dataDir, 'candles', `${first.child.pid}.journal`)
    writeFileSync(journal, 'records')
    utimesSync(journal, 1, 1)
    const second = run({ DATA_DIR: dataDir, PORT: '0' })
    expect(second.status).toBe(1)
    expect(second.stderr).toBe(
      `candela: Cannot open the data directory "${dataDir}": it is in use by the Candela service with process id ${first.child.pid}\n`,
    )
    expect(second.stdout).toBe('')
    expect(await first.cli('keys', 'list'), 'the command line works beside it').toContain('enterprise')
    expect(readFileSync(journal, 'utf8')).toBe('records')
    rmSync(journal)

    await first.kill()
    const third = await CandelaProcess.start({ DATA_DIR: dataDir }, first.key)
    expect((await third.get('/exchanges')).status, 'after its end the directory is free').toBe(200)
    expect(await third.stop()).toBe(0)
  })

  // Where unshare is not permitted, as in most containers, there are no process ids of its own to test with.
  it.runIf(canIsolate)(
    'is refused where each service has process ids of its own, as in containers with one volume',
    { tags: ['faults'] },
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'candela-test-'))
      const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }
      const start = () =>
        spawn('unshare', [...isolated, 'dist/main.js'], {
          cwd: root,
          env: { ...process.env, ...settings },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
      /** Waits until the service listens, or ends. */
      const outputOf = async (child: ReturnType<typeof start>) => {
        let text = ''
        for await (const chunk of child.stdout) {
          text += chunk
          if (/listens on \S+\n/.test(text)) break
        }
        return text
      }
      const first = start()
      try {
        expect(await outputOf(first)).toContain('listens on')
        const journal = join(dataDir, 'candles', '1.journal')
        writeFileSync(journal, 'records')
        // The third one opens the directory only, which shows that the lock of the first one is unchanged.
        const opening = `import { openEmbedded } from ${JSON.stringify(embedded)}
          try { openEmbedded(${JSON.stringify(dataDir)}, { exclusive: true }) }
          catch (error) { console.error('candela: ' + error.message); process.exit(1) }`
        for (const program of [['dist/main.js'], ['--input-type=module', '--eval', opening]])
          expect(
            spawnSync('unshare', [...isolated, ...program], {
              cwd: root,
              env: { ...process.env, ...settings },
              encoding: 'utf8',
              timeout: 20_000,
            }),
          ).toMatchObject({
            status: 1,
            stdout: '',
            stderr: `candela: Cannot open the data directory "${dataDir}": it is in use by the Candela service with process id 1 of another container\n`,
          })
        expect(readFileSync(journal, 'utf8')).toBe('records')
        rmSync(journal)

        const ended = once(first, 'exit')
        first.kill('SIGKILL')
        await ended
        // The system ends the process in the container a moment after the one that has started it.
        await expect
          .poll(
            async () => {
              const next = start()
              const text = await outputOf(next)
              next.kill('SIGKILL')
              return text
            },
            { timeout: 20_000 },
          )
          .toContain('listens on')
      } finally {
        first.kill('SIGKILL')
        rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
      }
    },
  )

  it('names every wrong setting and ends with code 1, with source maps as well', () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud' }
    const { status, stdout, stderr } = run(wrong, ['--enable-source-maps'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(
      'candela: PORT must be an integer from 0 to 65535, got "x"\n' +
        'candela: LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, got "loud"\n',
    )
  })
})
