import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { createKey, residentMb, startServiceOver } from './service-process.js'
import { median, rounded } from './statistics.js'

const rounds = effort(9, 1)
const question = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'

/** Time of a program until it had finished its task. */
interface Sample {
  readonly wallMs: number
  /** Processor time of all its threads; undefined if the system has no /proc. */
  readonly cpuMs: number | undefined
  readonly mb?: number | undefined
}

/** Processor time of a process since its start, in milliseconds, finer than the ticks of its `stat`. */
function cpuMsOf(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const ns = threads.map(id =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
    )
    return ns.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return undefined
  }
}

/** Runs a program until it writes its first line, and measures it while it still runs. */
async function program(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Sample> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise(resolve => child.once('close', resolve))
  await new Promise(resolve => child.stdout.once('data', resolve))
  const sample = { wallMs: performance.now() - began, cpuMs: cpuMsOf(child.pid as number) }
  child.kill('SIGKILL')
  await closed
  return sample
}

/** A bare process, which reports that it runs, and waits. */
const bare = () => program(['-e', "console.log('runs'); setInterval(() => {}, 1000)"])

/** The command line, measured at its first line before it ends. */
const command = (words: readonly string[]) => () => program(['dist/cli/candela.js', ...words])

/** The service, until it has answered its first request. */
async function firstAnswer(directory: string, key: string): Promise<Sample> {
  const began = performance.now()
  const { port, pid, stop } = await startServiceOver(directory)
  try {
    const reply = await fetch(`http://127.0.0.1:${port}${question}`, {
      headers: { authorization: `Bearer ${key}`, prefer: 'wait=5' },
    })
    await reply.text()
    if (reply.status !== 200) throw new Error(`the first reply was ${reply.status}`)
    return { wallMs: performance.now() - began, cpuMs: cpuMsOf(pid), mb: residentMb(pid) }
  } finally {
    await stop()
  }
}

/**
 * Starts of the service, up to its first reply, and of commands, compared with a bare Node.js process. They alternate, so
 * that other work on the machine slows all of them.
 */
export async function benchStart(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), 'candela-start-'))
  const key = createKey(directory)
  const works: Readonly<Record<string, () => Promise<Sample>>> = {
    'bare Node.js': bare,
    'service, to the first answer': () => firstAnswer(directory, key),
    'candela --version': command(['--version']),
    'candela exchanges': command(['exchanges']),
    'candela compute --help': command(['compute', '--help']),
  }
  const samples = new Map<string, Sample[]>(Object.keys(works).map(name => [name, []]))
  try {
    for (let round = 0; round < rounds; round++)
      for (const [name, work] of Object.entries(works)) samples.get(name)?.push(await work())
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  const floor = samples.get('bare Node.js') as Sample[]
  return Object.fromEntries([...samples].map(([name, own]) => [name, rowOf(own, floor)]))
}

function rowOf(own: readonly Sample[], floor: readonly Sample[]): Table[string] {
  const wall = median(own.map(({ wallMs }) => wallMs))
  const cpu = (each: readonly Sample[]) => {
    const known = each.map(({ cpuMs }) => cpuMs).filter(ms => ms !== undefined)
    return known.length > 0 ? median(known) : undefined
  }
  const [ms, bareMs] = [cpu(own), cpu(floor)]
  const mb = own[0]?.mb
  return {
    'wall ms': rounded(wall, 0),
    'CPU ms': ms === undefined ? null : rounded(ms, 1),
    ...(own !== floor && {
      'wall / bare Node.js': rounded(wall / median(floor.map(({ wallMs }) => wallMs))),
      ...(ms !== undefined && bareMs !== undefined && { 'CPU / bare Node.js': rounded(ms / bareMs) }),
    }),
    ...(mb !== undefined && { 'resident MB': median(own.map(each => each.mb ?? mb)) }),
  }
}
