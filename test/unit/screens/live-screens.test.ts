import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { readObject } from '../../../src/contract/fields.js'
import { busy, internal, isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import {
  duplicateScreen,
  screenNotFound,
  tooManyLiveScreens,
  tooManyScreens,
} from '../../../src/contract/screen-refusals.js'
import { SessionSubscriptions } from '../../../src/live/session-subscriptions.js'
import { LiveScreen, LiveScreens, type ScreenListener } from '../../../src/screens/live-screens.js'
import { readScreen, type ScreenRequest } from '../../../src/screens/request.js'
import type { LiveUpdate, ScreenState } from '../../../src/screens/screener.js'

const fields = readObject({ exchange: 'demo', timeframe: '1h', where: 'close > open' })
const read = isRefusal(fields) ? fields : readScreen(fields, new Expressions(), true)
if (isRefusal(read)) throw new Error(read.error)
const screen: ScreenRequest = read
const noBreadths = { live: () => expect.fail('no breadth was asked for') }
const account = { id: 'a', constructs: 1 } as never

/** A state whose matches have these values. */
const stateOf = (values: Readonly<Record<string, number>>): ScreenState => ({
  matches: new Map(
    Object.entries(values).map(([symbol, value]) => [symbol, JSON.stringify({ symbol, value })]),
  ),
  screened: 9,
  failed: [],
  stale: [],
})

describe('the screens of a session', () => {
  let sent: unknown[]
  let refused: [string, Refusal][]
  let isSlow: boolean
  let reserved: number
  let refusal: Refusal | undefined | Promise<Refusal | undefined>
  let followed: ScreenListener[]
  let ended: number
  let follows: Refusal | undefined
  let screens: SessionSubscriptions
  beforeEach(() => {
    ;[sent, refused, followed] = [[], [], []]
    ;[isSlow, reserved, ended] = [false, 0, 0]
    refusal = follows = undefined
    const count = (reason: Refusal | undefined) => {
      if (!reason) reserved++
      return reason
    }
    screens = new SessionSubscriptions(
      {
        hub: { acquire: () => expect.fail('no topic was asked for'), release() {} },
        screens: {
          follow: (_request, _asker, listener) => {
            if (follows) return follows
            followed.push(listener)
            return () => void ended++
          },
        },
        onBug: error => expect.fail(String(error)),
        reserveSubscription: () => (refusal instanceof Promise ? refusal.then(count) : count(refusal)),
        releaseSubscription: () => void reserved--,
      },
      { subscribe() {}, unsubscribe() {}, send: () => expect.fail('sent although the client may be slow') },
      {
        send: text => {
          if (!isSlow) sent.push(JSON.parse(text))
          return !isSlow
        },
        refuse: (id, reason) => void refused.push([id, reason]),
      },
    )
  })
  /** Tells a session of the states of a screen, one after the other. */
  const tell = (listener: ScreenListener | undefined) => {
    let state = stateOf({})
    const live = new LiveScreen({ state: async () => state }, screen, 'a')
    return async (values: Readonly<Record<string, number>>) => {
      state = stateOf(values)
      const update = await live.next({} as never)
      if (update) listener?.onUpdate(update)
    }
  }
  const begin = (id: string) => screens.beginScreen({ kind: 'screen', id, request: screen, key: id }, account)

  it('are told what has changed since the last message that was sent', async () => {
    begin('x')
    const [listener = expect.fail('not followed')] = followed
    const show = tell(listener)
    listener.onProgress(3, 9)
    await show({ A: 1, B: 1 })
    await show({ A: 1, B: 1 })
    await show({ A: 1, B: 2, C: 1 })
    isSlow = true
    await show({ B: 3, D: 1 })
    await show({ B: 4, C: 1 })
    isSlow = false
    await show({ B: 4, E: 1 })
    expect(sent).toEqual([
      { type: 'screen_pending', id: 'x', done: 3, total: 9 },
      {
        type: 'screen_ok',
        id: 'x',
        matches: [
          { symbol: 'A', value: 1 },
          { symbol: 'B', value: 1 },
        ],
        screened: 9,
        failed: [],
      },
      {
        type: 'screen_update',
        id: 'x',
        entered: [{ symbol: 'C', value: 1 }],
        changed: [{ symbol: 'B', value: 2 }],
        left: [],
      },
      {
        type: 'screen_update',
        id: 'x',
        entered: [{ symbol: 'E', value: 1 }],
        changed: [{ symbol: 'B', value: 4 }],
        left: ['A', 'C'],
      },
    ])
  })

  it('are told of several matches that have come, changed or gone', async () => {
    begin('x')
    const show = tell(followed[0])
    await show({ A: 1, B: 1, C: 1, D: 1, E: 1 })
    await show({ C: 1, D: 2, E: 2, F: 1, G: 1 })
    expect(sent.at(-1)).toEqual({
      ...{ type: 'screen_update', id: 'x' },
      entered: ['F', 'G'].map(symbol => ({ symbol, value: 1 })),
      changed: ['D', 'E'].map(symbol => ({ symbol, value: 2 })),
      left: ['A', 'B'],
    })
    const count = sent.length
    for (const values of [{ A: 1 }, { B: 1 }, { A: 1 }, { A: 2, B: 1 }, { A: 1, B: 1 }, { A: 2 }])
      await show(values)
    expect(sent).toHaveLength(count + 6)
  })

  it('begin with the whole state, where the client was too slow for the first one', async () => {
    begin('x')
    const show = tell(followed[0])
    isSlow = true
    await show({ A: 1 })
    isSlow = false
    await show({ A: 1 })
    expect(sent).toMatchObject([{ type: 'screen_ok', matches: [{ symbol: 'A' }] }])
  })

  it('give back what they count for, however they end', async () => {
    for (const id of 'abc') begin(id)
    expect(reserved).toBe(3)
    screens.endScreen('screen', 'a')
    expect([reserved, ended]).toEqual([2, 1])
    screens.endScreen('screen', 'a')
    expect(refused.pop()).toEqual(['a', screenNotFound('a')])
    followed[1]?.onRefusal(internal())
    expect(refused.pop()).toEqual(['b', internal()])
    expect([reserved, ended]).toEqual([1, 1])
    screens.close()
    expect([reserved, ended]).toEqual([0, 2])
    follows = busy(1)
    begin('d')
    expect([reserved, refused.pop()]).toEqual([0, ['d', busy(1)]])
    follows = undefined
    // A screen that is ended while its account is looked up.
    refusal = Promise.resolve(undefined)
    begin('e')
    screens.endScreen('screen', 'e')
    await refusal
    await new Promise(setImmediate)
    expect([reserved, followed.length]).toEqual([0, 3])
    refusal = Promise.resolve(busy(2))
    begin('f')
    await new Promise(setImmediate)
    expect([reserved, refused]).toEqual([0, [['f', busy(2)]]])
    refusal = undefined
    begin('f')
    expect(reserved).toBe(1)
  })

  it('have an id each, and the later one of two is refused', () => {
    begin('x')
    begin('x')
    expect([reserved, followed.length, refused]).toEqual([1, 1, [['x', duplicateScreen('x')]]])
    screens.endScreen('screen', 'x')
    expect([reserved, ended]).toEqual([0, 1])
  })

  it('are not ended by the refusal of one that had their id before', async () => {
    refusal = Promise.resolve(busy(1))
    begin('x')
    screens.endScreen('screen', 'x')
    refusal = undefined
    begin('x')
    await new Promise(setImmediate)
    expect(refused).toEqual([])
    screens.endScreen('screen', 'x')
    expect([reserved, ended, refused]).toEqual([0, 1, []])
  })
})

describe('live screens', () => {
  const scan = { hasEnded: true, markets: [{}, {}], done: 2, ended: Promise.resolve() }
  const asker = { id: 'a', constructs: 1 }
  const asked = { kind: 'screen', request: screen } as const
  const listener = () => {
    const states: LiveUpdate[] = []
    const refusals: Refusal[] = []
    const progress: [number, number][] = []
    return {
      ...{ states, refusals, progress },
      onUpdate: (update: LiveUpdate) => void states.push(update),
      onRefusal: (refusal: Refusal) => void refusals.push(refusal),
      onProgress: (...each: [number, number]) => void progress.push(each),
    }
  }

  it('go on with the last candles where they cannot be swept again, and end where they never could', async () => {
    const scans = [scan, tooManyScreens(2, 1), scan]
    const used: unknown[] = []
    const live = new LiveScreens(
      {
        scan: (() => scans.shift() ?? tooManyScreens(2, 1)) as never,
        state: async (_request, each) => {
          used.push(each)
          return stateOf({ A: used.length })
        },
      },
      noBreadths,
      error => expect.fail(String(error)),
    )
    const first = listener()
    const end = live.follow(asked, asker, first)
    await vi.waitFor(() => expect(first.states).toHaveLength(2), { timeout: 10_000 })
    expect(used).toEqual([scan, scan])
    if (isRefusal(end)) return expect.fail(end.error)
    end()
    scans.length = 0
    const second = listener()
    live.follow(asked, asker, second)
    await expect.poll(() => second.refusals).toEqual([tooManyScreens(2, 1)])
    expect([first.refusals, live.size]).toEqual([[], 0])
  })

  it('are bounded for an account and for all, and free again after a bug', async () => {
    const bugs: unknown[] = []
    const live = new LiveScreens(
      {
        scan: () => scan as never,
        state: async () => {
          throw new TypeError('a bug')
        },
      },
      noBreadths,
      error => bugs.push(error),
    )
    const listeners = Array.from({ length: 52 }, listener)
    const answers = listeners.map((each, at) =>
      live.follow(asked, { ...asker, id: `${at === 5 ? 0 : Math.floor(at / 5)}` }, each),
    )
    expect(answers[5]).toEqual(tooManyLiveScreens(5))
    expect(answers.filter(isRefusal)).toEqual([tooManyLiveScreens(5), busy(1)])
    expect(live.size).toBe(50)
    await expect.poll(() => live.size).toBe(0)
    expect(bugs).toHaveLength(50)
    expect(listeners[0]?.refusals).toEqual([internal()])
  })
})
