import { Presets, SingleBar } from 'cli-progress'
import { formatTime } from '../candles/format-time.js'

/** How far some fetching of candles has come. */
export interface Progress {
  readonly done: number
  /** Unix seconds of the open of the oldest candle so far. */
  readonly back: number | undefined
}

/** Shows a course, and leaves it on the screen when it ends. */
export interface Display {
  show(course: Progress): void
  end(): void
}

const backOf = (back: number | undefined) => (back === undefined ? '' : `back to ${formatTime(back)}`)

/** As in `40s`, `12m` or `3h`. */
function leftOf(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)}s`
  return seconds < 6000 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 3600)}h`
}

/** A bar on a terminal; a line for each step in a file or a pipe. All on standard error. */
export function createDisplay(title: string, total: number): Display {
  if (!process.stderr.isTTY) {
    let last = -1
    return {
      show({ done, back }) {
        if (done === last) return
        last = done
        console.error(`${title}: ${done} of ${total} candles${back === undefined ? '' : `, ${backOf(back)}`}`)
      },
      end() {},
    }
  }
  const bar = new SingleBar(
    {
      format: `${title} {bar} {percentage}% | {value} of {total} candles | {back} | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
      // The signal that ends the command is the command's to answer.
      gracefulExit: false,
      // Without it what cannot be known yet would read "NFs".
      formatTime: seconds => (Number.isFinite(seconds) ? leftOf(seconds) : '?'),
    },
    Presets.shades_classic,
  )
  let isBegun = false
  return {
    show({ done, back }) {
      // What was there before says nothing about the time that the rest takes.
      if (isBegun) bar.update(done, { back: backOf(back) })
      else bar.start(total, done, { back: backOf(back) })
      isBegun = true
    },
    end: () => bar.stop(),
  }
}
