import { beforeEach, describe, expect, it } from 'vitest'
import { AgeClock } from '../../../src/runtime/age-clock.js'

const hour = 3600
const day = 24 * hour
const start = 1_700_006_400

describe('the clock by which old records are dropped', () => {
  let passed: number
  /** Seconds by which the time of day is ahead. */
  let ahead: number
  let ages: AgeClock
  const create = () =>
    new AgeClock(
      () => start + passed + ahead,
      () => 1000 * passed,
    )
  beforeEach(() => {
    ;[passed, ahead] = [0, 0]
    ages = create()
  })

  it('is the time of day while that goes on', () => {
    for (passed = 0; passed < 100 * day; passed += 5000) expect(ages.now()).toBe(start + passed)
  })

  it('does not follow a time of day that is ahead for less than a day, however often', () => {
    for (let time = 0; time < 3; time++) {
      ahead = 100 * day
      for (let waited = 0; waited < day - 1; waited += hour) {
        expect(ages.now()).toBe(start + passed)
        passed += hour
      }
      ahead = 0
      expect(ages.now()).toBe(start + passed)
      passed += hour
    }
  })

  it('follows one that was set forward and goes on so for a day', () => {
    ahead = 30 * day
    ages.now()
    passed += day - 1
    expect(ages.now()).toBe(start + passed)
    passed += 1
    expect(ages.now()).toBe(start + passed + ahead)
  })

  it('follows one that is set back at once', () => {
    ahead = -5 * day
    expect(ages.now()).toBe(start + passed + ahead)
    passed += 10
    ahead = 0
    expect(ages.now()).toBe(start + passed - 5 * day)
  })

  it('makes nothing old in the first hour, when a clock may not have been set yet', () => {
    ahead = 100 * day
    ages = create()
    passed += hour - 1
    expect(ages.before(1)).toBe(Number.NEGATIVE_INFINITY)
    ahead = 0
    ages.now()
    passed += 1
    expect(ages.before(day)).toBe(start + passed - day)
  })

  it('takes small corrections of the time of day as they come', () => {
    for (let step = 0; step < 5; step++) {
      ahead += 1
      passed += day
      expect(ages.now()).toBe(start + passed + ahead)
    }
  })
})
