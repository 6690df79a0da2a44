import { expect, test } from 'vitest'
import { ExchangeClock } from '../../../../src/markets/exchanges/exchange-clock.js'

const noon = Date.UTC(2025, 5, 18, 12) / 1000
const header = (seconds: number) => new Date(seconds * 1000).toUTCString()

function begin(own = noon) {
  const time = { own, elapsedMs: 0 }
  const clock = new ExchangeClock(
    () => time.own,
    () => time.elapsedMs,
  )
  return { time, clock }
}

test('the time of an exchange is that of this machine until a response says a later one', () => {
  const { clock } = begin()
  expect(clock.now()).toBe(noon)
  clock.observe(header(noon - 3600))
  expect(clock.now(), 'an old response does not set it back').toBe(noon)
  clock.observe(header(noon + 3600))
  expect(clock.now()).toBe(noon + 3600)
})

test('the time of an exchange passes while the clock of this machine is set back', () => {
  const { time, clock } = begin()
  clock.observe(header(noon))
  time.own -= 7200
  time.elapsedMs += 60_000
  expect(clock.now()).toBe(noon + 60)
})

test.each([undefined, null, '', 'yesterday', 12])('a response with the date %j says nothing', date => {
  const { clock } = begin()
  clock.observe(date)
  expect(clock.now()).toBe(noon)
})

test('the next candle is the latest one that may open', () => {
  const { time, clock } = begin()
  expect(clock.latestOpen('1m')).toBe(noon + 60)
  time.own += 59
  expect(clock.latestOpen('1m')).toBe(noon + 60)
  time.own += 1
  expect(clock.latestOpen('1m')).toBe(noon + 120)
  expect(clock.latestOpen('1w'), 'the next Monday').toBe(Date.UTC(2025, 5, 23) / 1000)
})
