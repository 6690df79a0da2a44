import { CandelaProcess } from './service-process.js'

const week = 7 * 86_400_000
/** The first Wednesday after the epoch, at half past ten. */
const origin = Date.UTC(1970, 0, 7, 10, 30)
const shiftMs = origin + Math.floor((Date.now() - origin) / week) * week - Date.now()

/**
 * Milliseconds of a clock that began at half past ten (UTC) of the last Wednesday: candles of an hour and longer stay the
 * newest ones while a test requests them several times.
 */
export const quietClock = (): number => Date.now() + shiftMs

/** Starts a service with this clock. */
export const startQuiet = (settings: Readonly<Record<string, string>> = {}): Promise<CandelaProcess> =>
  CandelaProcess.start(
    { ...settings, CLOCK_SHIFT_MS: String(shiftMs) },
    undefined,
    new URL('shifted-clock.mjs', import.meta.url),
  )
