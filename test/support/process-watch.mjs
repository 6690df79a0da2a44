// Loaded before a service that a test or a bench attacks, by `node --import`, with an IPC channel. It measures what the
// service cannot measure itself, and sets its clock. Every command is answered with one message.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { clockMs, watchMachine } from './machine-stalls.mjs'

/** Milliseconds between two readings of the clocks. */
const intervalMs = 5
const MiB = 2 ** 20

/** Processor time of this thread in milliseconds; that of the whole process if the system does not show it. */
function threadMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** The threads of the process have clocks of their own, which are set together. */
const clocks = new BroadcastChannel('candela-test-clock')
clocks.unref()
const dateNow = Date.now
function setClock(seconds) {
  Date.now = () => dateNow() + seconds * 1000
}
if (!isMainThread) clocks.onmessage = ({ data }) => setClock(data)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** Number of requested garbage collections of all threads. Threads inherit it when they start. */
const collectionsName = 'candela-test-collections'
if (isMainThread) setEnvironmentData(collectionsName, new Int32Array(new SharedArrayBuffer(4)))
const collections = getEnvironmentData(collectionsName)
/** Time within which every thread has noticed a requested collection, in milliseconds. */
const collectMs = 100
/**
 * V8 returns the last used memory of its threads after about ten collections: with three, the same service needed 60 MiB
 * more.
 */
const collectionRounds = 12

/** Makes this thread collect its garbage on request, also while it waits for a task and its event loop stands still. */
function collectWhenAsked() {
  let collected = 0
  const look = () => {
    if (collected === collections[0]) return
    collected = collections[0]
    collect()
  }
  setInterval(look, collectMs).unref()
  const { wait } = Atomics
  Atomics.wait = (array, index, value, timeout = Number.POSITIVE_INFINITY) => {
    for (let left = timeout; ; left -= collectMs) {
      look()
      const result = wait(array, index, value, Math.min(left, collectMs))
      if (result !== 'timed-out' || left <= collectMs) return result
    }
  }
}
if (!isMainThread && collections) collectWhenAsked()

/** Shorter holds are reported without correction, in milliseconds. */
const minLongMs = 8

function watch() {
  const machine = watchMachine()
  /** The longest processor time of the thread between two turns, which excludes other programs. */
  let held
  /** The longer holds, from which stalls of the machine must still be subtracted. */
  let long
  let peak
  let lastWall
  let lastThread
  let since
  const begin = () => {
    held = 0
    long = []
    peak = process.memoryUsage.rss()
    lastWall = clockMs()
    lastThread = threadMs()
    since = lastWall
  }

  begin()
  setInterval(() => {
    const wall = clockMs()
    const thread = threadMs()
    const ran = Math.min(wall - lastWall, thread - lastThread)
    if (ran > minLongMs) long.push({ from: lastWall, to: wall, ran })
    else held = Math.max(held, ran)
    peak = Math.max(peak, process.memoryUsage.rss())
    lastWall = wall
    lastThread = thread
  }, intervalMs).unref()

  /** Waits until stalls that have just ended are known. */
  async function settle() {
    const first = machine.rounds()
    for (let i = 0; i < 50 && machine.rounds() < first + 2; i++) await sleep(1)
  }

  const commands = {
    /** Measurements since the last call: milliseconds, MiB. */
    take: async () => {
      await settle()
      for (const { from, to, ran } of long) {
        // No thread has run during a stall, whatever the kernel has counted.
        held = Math.max(held, Math.min(ran, to - from - machine.stalledMs(from, to)))
      }
      const taken = { held, stalled: machine.longestMs(since), peak: peak / MiB }
      begin()
      return taken
    },
    /** Memory in use after the garbage of all threads was collected, in MiB. */
    memory: async () => {
      for (let i = 0; i < collectionRounds; i++) {
        collections[0]++
        collect()
        await sleep(1.2 * collectMs)
      }
      const { rss, heapUsed, external } = process.memoryUsage()
      begin()
      return { resident: rss / MiB, heap: (heapUsed + external) / MiB }
    },
    /** Sets the clock by seconds, for every reader of the time of day. */
    'set-clock': seconds => {
      setClock(seconds)
      clocks.postMessage(seconds)
      return {}
    },
  }
  process.on('message', async ({ command, value }) => process.send(await commands[command](value)))
  // Neither the channel nor the test behind it keeps the service from ending.
  process.channel.unref()
}

if (isMainThread && process.send) watch()
