import { Presets, SingleBar } from 'cli-progress'
import { formatTime } from '../candles/format-time.js'
import type { Progress } from '../history/backfill.js'

/** Shows the progress of a command on standard error. */
export interface ProgressDisplay {
  show(progress: Pick<Progress, 'done' | 'back'>): void
  /** Leaves what is shown on the screen. */
  end(): void
}

/** A bar on a terminal, one line for each step elsewhere (a file, a pipe). `total` counts `things`. */
export const createProgressDisplay = (title: string, total: number, things = 'candles'): ProgressDisplay =>
  process.stderr.isTTY ? createBar(title, total, things) : createLines(title, total, things)

function createLines(title: string, total: number, things: string): ProgressDisplay {
  let last = -1
  return {
    show({ done, back }) {
      if (done === last) return
      last = done
      console.error(
        `${title}: ${done} of ${total} ${things}${back === undefined ? '' : `, ${formatOldest(back)}`}`,
      )
    },
    end() {},
  }
}

function createBar(title: string, total: number, things: string): ProgressDisplay {
  const bar = new SingleBar(
    {
      format: `${title} {bar} {percentage}% | {value} of {total} ${things} | {back} | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
      // The command itself reacts to signals.
      gracefulExit: false,
      // An unknown rest would be shown as "NFs".
      formatTime: seconds => (Number.isFinite(seconds) ? formatDuration(seconds) : '?'),
    },
    Presets.shades_classic,
  )
  let isStarted = false
  return {
    show({ done, back }) {
      const payload = { back: formatOldest(back) }
      // The bar starts at the first value: candles that were archived before must not count as fast progress.
      if (isStarted) bar.update(done, payload)
      else bar.start(total, done, payload)
      isStarted = true
    },
    end: () => bar.stop(),
  }
}

/** `seconds` is the open time of the oldest candle so far. */
const formatOldest = (seconds: number | undefined) =>
  seconds === undefined ? '' : `back to ${formatTime(seconds)}`

/** Seconds as in `40s`, `12m` or `3h`. */
function formatDuration(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)}s`
  return seconds < 6000 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 3600)}h`
}
