import { type Options, Presets, SingleBar } from 'cli-progress'
import type { ReadingDisplay } from '../candles/files/input.js'
import { formatTime } from '../candles/format-time.js'
import type { Progress } from '../markets/history/backfill.js'
import type { CommonOptions } from './failure.js'

export interface ProgressDisplay {
  show(progress: Pick<Progress, 'done' | 'back'>): void
  /** Ends the display. The last state stays on the screen. */
  end(): void
}

/** Shows a bar on a terminal, at most ten lines elsewhere (a file, a pipe), and nothing with --json. `total` counts `things`. */
export function createProgressDisplay(
  title: string,
  total: number,
  { json }: CommonOptions = {},
  things = 'candles',
): ProgressDisplay {
  if (json) return { show() {}, end() {} }
  if (!process.stderr.isTTY) return createLines(title, total, things)
  const format = `${title} {bar} {percentage}% | {value} of {total} ${things} | {back} | {eta_formatted} left`
  const bar = newBar(format, { hideCursor: true })
  return {
    show({ done, back }) {
      const payload = { back: formatOldest(back) }
      // The bar starts at the first value, so that candles that were already archived do not count as fast progress.
      if (bar.isActive) bar.update(done, payload)
      else bar.start(total, done, payload)
    },
    end: () => bar.stop(),
  }
}

function createLines(title: string, total: number, things: string): ProgressDisplay {
  let last = 0
  return {
    show({ done, back }) {
      const tenth = Math.floor((10 * done) / total)
      if (tenth === last) return
      last = tenth
      const oldest = back === undefined ? '' : `, ${formatOldest(back)}`
      console.error(`${title}: ${done} of ${total} ${things}${oldest}`)
    },
    end() {},
  }
}

/** Creates a bar on standard error, unless `options` name another stream. The commands themselves handle signals. */
const newBar = (format: string, options: Options): SingleBar =>
  new SingleBar(
    { format, stream: process.stderr, gracefulExit: false, formatTime: formatRest, ...options },
    Presets.shades_classic,
  )

/** `seconds` is the open time of the oldest candle so far. */
const formatOldest = (seconds: number | undefined) =>
  seconds === undefined ? '' : `back to ${formatTime(seconds)}`

/** Dependencies that tests replace. */
interface Surroundings {
  readonly stderr?: NodeJS.WriteStream
  readonly nowMs?: () => number
}

const delayMs = 1000

/**
 * Shows a bar for the bytes of files on a terminal, after one second; nothing elsewhere. `isShown` must be false if the result is
 * written to the same terminal.
 */
export function createReadingDisplay(
  title: string,
  isShown: boolean,
  { stderr = process.stderr, nowMs = () => performance.now() }: Surroundings = {},
): ReadingDisplay {
  const none: ReadingDisplay = { addFile() {}, addBytes() {}, end() {} }
  if (!isShown || !stderr.isTTY) return none
  const startedAt = nowMs()
  let bar: SingleBar | undefined
  let done = 0
  let total = 0
  let isKnown = true
  return {
    addFile(size) {
      isKnown &&= size !== undefined
      total += size ?? 0
      bar?.setTotal(inMegabytes(total))
    },
    addBytes(bytes) {
      done += bytes
      if (bar) bar.update(inMegabytes(done))
      else if (nowMs() - startedAt > delayMs) {
        const format = isKnown
          ? `${title} {bar} {percentage}% | {value} of {total} MB | {eta_formatted} left`
          : `${title} {value} MB`
        bar = newBar(format, { stream: stderr, clearOnComplete: true })
        bar.start(inMegabytes(total), inMegabytes(done))
      }
    },
    end: () => bar?.stop(),
  }
}

/**
 * Shows a text on a terminal while a command waits without a measurable progress; nothing elsewhere. The returned function removes
 * the text.
 */
export function showStatus(text: string, { json }: CommonOptions = {}): () => void {
  const { stderr } = process
  if (json || !stderr.isTTY) return () => {}
  stderr.write(text)
  let isShown = true
  return () => {
    if (!isShown) return
    isShown = false
    stderr.cursorTo(0)
    stderr.clearLine(1)
  }
}

const inMegabytes = (bytes: number) => Math.round(bytes / 1e5) / 10

/** Formats seconds as in `40s`, `12m` or `3h`, and unknown seconds as `?`. */
function formatRest(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?'
  if (seconds < 100) return `${Math.round(seconds)}s`
  return seconds < 6000 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 3600)}h`
}
