import { Frame } from '../../frame'

/** The new moon of 6 January 2000, 18:14 UTC, in seconds, and the days between mean new moons. */
const newMoon: f64 = 947182440
const month: f64 = 29.530588853

/**
 * Moon Phase: the share of the mean month since the last new moon at the opening time of the candle (0 new, 0.5 full), and
 * the illuminated share of the disk.
 * A mean phase, up to about 14 hours off the true one: the new moon of 14 December 2020 comes ten hours late.
 * Source: Meeus, Astronomical Algorithms (mean synodic month); QuanTAlib lunar.
 */
export function moonphase(frame: Frame, from: i32, to: i32): void {
  const time = frame.input(0)
  for (let i = from; i < to; i++) {
    const months = (time[i] - newMoon) / 86400 / month
    const phase = months - floor(months)
    frame.output(0)[i] = phase
    frame.output(1)[i] = (1 - Math.cos(2 * Math.PI * phase)) / 2
  }
}
