import { vi } from 'vitest'
import { Candela } from './service-process.js'

const { now } = Date
const week = 7 * 86_400_000
/** The first Wednesday after the epoch, at half past ten. */
const origin = Date.UTC(1970, 0, 7, 10, 30)
const shiftMs = origin + Math.floor((now() - origin) / week) * week - now()

/**
 * Milliseconds of a clock that began at half past ten (UTC) of the last Wednesday: candles of an hour and longer stay the
 * newest ones while a test requests them several times.
 */
export const quietClock = (): number => now() + shiftMs

/** Starts a service in this process, which has this clock until all tests of the file have ended. */
export function startQuiet(settings: Readonly<Record<string, string>> = {}): Promise<Candela> {
  vi.spyOn(Date, 'now').mockImplementation(quietClock)
  return Candela.start(settings)
}
