// Writes the markets next to this file, the same on every run. Four are invented, with 400 candles each, and two consist of
// planted candlestick patterns. One is short and around zero, and one stands still for a long time.
import { writeFileSync } from 'node:fs'

const count = 400
const hour = 3_600
const day = 24 * hour

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
function uniform(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const normalOf = random => () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const pickOf =
  random =>
  (...items) =>
    items[Math.floor(random() * items.length)]
const rounding = decimals => value => Number(value.toFixed(decimals))

/** A random walk whose volatility comes and goes. Each candle opens at the close of the previous one. */
function walk({ seed, start, step, decimals, volume }) {
  const random = uniform(seed)
  const normal = normalOf(random)
  const round = rounding(decimals)
  let close = start
  let unrest = 1
  return Array.from({ length: count }, () => {
    unrest = Math.min(2.5, Math.max(0.5, unrest * Math.exp(0.2 * normal())))
    const open = close
    close = round(open * Math.exp(step * unrest * normal()))
    const high = round(Math.max(open, close) * (1 + step * unrest * random() * 0.7))
    const low = round(Math.min(open, close) * (1 - step * unrest * random() * 0.7))
    return { open, high, low, close, volume: Math.round(volume * unrest * (0.2 + random())) }
  })
}

/**
 * Daily candles of a stock: it opens with a gap, sometimes does not trade all day, and sometimes closes at the
 * previous close.
 */
function stock({ seed, start, step }) {
  const random = uniform(seed)
  const normal = normalOf(random)
  const round = rounding(2)
  let close = start
  return Array.from({ length: count }, () => {
    const before = close
    const luck = random()
    if (luck < 0.03) return { open: before, high: before, low: before, close: before, volume: 0 }
    const open = round(before * Math.exp((random() < 0.15 ? 3 : 0.4) * step * normal()))
    if (luck > 0.05) close = round(open * Math.exp(step * normal()))
    const high = round(Math.max(open, close) + start * step * random() * 0.6)
    const low = round(Math.min(open, close) - start * step * random() * 0.6)
    return { open, high, low, close, volume: Math.round(1e6 * (0.3 + random())) }
  })
}

/**
 * Candles of all shapes, so that candlestick patterns appear. Prices are multiples of an eighth. Their sums are exact
 * in any order, so that a body that equals the mean of others always does.
 */
function shapes({ seed, start }) {
  const random = uniform(seed)
  const pick = pickOf(random)
  let before = { open: start, high: start, low: start, close: start }
  let leaning = 1
  return Array.from({ length: count }, () => {
    if (random() < 0.2) leaning = -leaning
    if (before.close < start / 2) leaning = 1
    if (before.close > start * 2) leaning = -1
    const direction = random() < 0.65 ? leaning : -leaning
    const body = pick(0, 0.125, 0.5, 1, 2, 4, 6, 10) * direction
    const anchor = pick(
      before.close,
      before.close,
      before.open,
      (before.open + before.close) / 2,
      before.high,
      before.low,
    )
    const open = Math.round((anchor + pick(0, 0, 0, 0.25, -0.25, 1, -1, 3, -3)) * 8) / 8
    const close = open + body
    const high = Math.max(open, close) + pick(0, 0, 0.125, 0.5, 1, 4)
    const low = Math.min(open, close) - pick(0, 0, 0.125, 0.5, 1, 4)
    before = { open, high, low, close }
    return { ...before, volume: 1_000 + Math.floor(9_000 * random()) }
  })
}

/**
 * Candlestick patterns that chance hardly ever draws. Each candle is given as open, close, upper shadow and lower
 * shadow in units of a usual body. Upside down, most of them are another pattern, or the same one with the other sign.
 */
const rarities = `
piercing                  3 0 0.25 0.25 | -0.75 2 0.25 0.25
counterattack             3 0 0.25 0.25 | -3 0 0.25 0.25
in-neck                   3 0 0.25 0.25 | -1 0 0.25 0.25
on-neck                   3 0 0.25 0.5 | -1.5 -0.5 0.25 0.25
thrusting                 3 0 0.25 0.25 | -1 1 0.25 0.25
kicking, second longer    3 0 0 0 | 3.5 7 0 0
kicking, first longer     4 0 0 0 | 4.5 7 0 0
stick sandwich            2 0 0.25 0.25 | 0.5 2 0.25 0.25 | 2.5 0 0.25 0.25
Tasuki gap                0 1.5 0.25 0.25 | 2.5 4 0.25 0.25 | 3.5 2 0.25 0.25
upside gap two crows      0 3 0.25 0.25 | 4 3.5 0.25 0.25 | 4.25 3.25 0.25 0.25
two crows                 0 3 0.25 0.25 | 4.5 4 0.25 0.25 | 4.25 2 0.25 0.25
gap three methods         0 2 0.25 0.25 | 3 5 0.25 0.25 | 4 1 0.25 0.25
side by side              0 1 0.25 0.25 | 2 3 0.25 0.25 | 2 3 0.25 0.25
abandoned baby            0 3 0.25 0.25 | 4 4 0.25 0.25 | 3 1 0.25 0.25
doji star                 0 3 0.25 0.25 | 3.5 3.5 0.5 0.5 | 3 1 0.25 0.25
star                      0 3 0.25 0.25 | 3.5 4 0.5 0.5 | 3 1 0.25 0.25
three stars in the south  4 0 0.25 4.5 | 2 -1 0.25 1.5 | -1 -1.5 0 0
unique three river        4 0 0.25 0.25 | 3 0.5 0.25 3 | -0.75 -0.25 0.25 0.25
three soldiers            0 2 0 0.25 | 1 3 0 0.25 | 2 4 0 0.25
three black crows         -1 0 0.5 0.5 | 0.25 -1.5 0.25 0 | -0.5 -2.5 0.25 0 | -1.5 -3.5 0.25 0
identical crows           1 -0.5 0.25 0 | -0.5 -2 0.25 0 | -2 -3.5 0.25 0
stalled                   0 3 0.25 0.25 | 2 5 0 0.25 | 5 5.25 0.25 0.25
advance, second small     0 4 0.25 0.25 | 3.5 5 0.25 0.25 | 4.5 5.75 0.25 0.25
advance, third small      0 3 0.25 0.25 | 2 5 0.25 0.25 | 4.75 5.5 0.25 0.25
advance under shadows     0 3 0.25 0.25 | 2 4.75 1 0.25 | 4 6.5 1 0.25
advance, last shadow      0 3 0.25 0.25 | 2 5.5 0.25 0.25 | 4 7 3.5 0.25
three-line strike         0 1 0.25 0.25 | 0.5 1.75 0.25 0.25 | 1.25 2.5 0.25 0.25 | 3 -0.5 0.25 0.25
concealing swallow        3 1 0 0 | 1 -1 0 0 | -1.5 -2 1 0.25 | -0.25 -2.5 0 0
breakaway                 4 1 0.25 0.25 | 0 -0.5 0.25 0.25 | -0.5 -1 0.25 0.25 | -1 -1.5 0.25 0.25 | -1.25 0.5 0.25 0.25
mat hold                  0 4 0.25 0.25 | 4.75 4.25 0.25 0.25 | 4.25 3.75 0.25 0.25 | 3.75 3.25 0.25 0.25 | 3.5 5.5 0.25 0.25
three methods             0 4 0.25 0.25 | 3.5 3 0.25 0.25 | 3 2.5 0.25 0.25 | 2.5 2 0.25 0.25 | 2.25 5 0.25 0.25
ladder bottom             4 2.5 0.25 0.25 | 3 1.5 0.25 0.25 | 2 0.5 0.25 0.25 | 1 0 0.75 0.25 | 1.25 3 0.25 0.25
modified hikkake          0 0.5 2 2 | 0.5 -1 0.5 0.25 | -0.5 0 0.5 0.25 | -0.25 -1 0.25 0.25 | -1 -0.25 0.25 0.25 | -0.25 1 0.25 0.25`
  .trim()
  .split('\n')
  .map(line =>
    line
      .slice(26)
      .split('|')
      .map(candle => candle.trim().split(' ').map(Number)),
  )

/** A market at rest on a grid of eighths in which each of the rarities happens once upright and once upside down. */
function rare({ seed, start }) {
  return planted(
    { seed, start },
    rarities.flatMap(rarity => [rarity, rarity.map(upsideDown)]),
  )
}

/** The same with one thing wrong in each rarity, eight times over: an end of a body, a shadow, a colour, or the height. */
function bent({ seed, start }) {
  const pick = pickOf(uniform(seed))
  const bend = rarity => {
    const copy = rarity.map(candle => [...candle])
    const candle = pick(...copy)
    const [open, close] = candle
    const by = pick(-3, -1.5, -0.75, 0.75, 1.5, 3)
    const what = pick('open', 'close', 'height', 'colour', 'upper', 'lower')
    if (what === 'open' || what === 'height') candle[0] += by
    if (what === 'close' || what === 'height') candle[1] += by
    if (what === 'colour') candle.splice(0, 2, close, open)
    if (what === 'upper') candle[2] = candle[2] < 0.5 ? Math.abs(by) : 0
    if (what === 'lower') candle[3] = candle[3] < 0.5 ? Math.abs(by) : 0
    return copy
  }
  const times = Array.from({ length: 8 }, (_, k) => k)
  return planted(
    { seed, start },
    times.flatMap(k => rarities.map(bend).map(rarity => (k % 2 ? rarity.map(upsideDown) : rarity))),
  )
}

const upsideDown = ([open, close, above, below]) => [-open, -close, below, above]

/** Small candles of alternating colours. After every five of them comes one of the `patterns`. */
function planted({ seed, start }, patterns) {
  const random = uniform(seed)
  const pick = pickOf(random)
  const candles = []
  let price = start
  const add = (open, close, above, below) => {
    price = close
    const high = Math.max(open, close) + above
    const low = Math.min(open, close) - below
    candles.push({ open, high, low, close, volume: 1_000 + Math.floor(9_000 * random()) })
  }
  const rest = length => {
    for (let k = 0; k < length; k++)
      add(
        price,
        price + (k % 2 ? 1 : -1) * pick(0.875, 1, 1.125),
        pick(0.25, 0.5, 0.75),
        pick(0.25, 0.5, 0.75),
      )
  }
  rest(10)
  for (const pattern of patterns) {
    rest(5)
    const level = price - pattern[0][0]
    for (const [open, close, above, below] of pattern) add(level + open, level + close, above, below)
  }
  rest(5)
  return candles
}

/** Prices in quarters that fall below zero and rise again, as the difference of two prices does. */
function belowzero() {
  const at = k => (Math.abs(((k * 7) % 40) - 20) - 10) / 4
  return Array.from({ length: 60 }, (_, k) => {
    const [open, close] = [at(k), at(k + 1)]
    return {
      open,
      high: Math.max(open, close) + 0.25,
      low: Math.min(open, close) - 0.25,
      close,
      volume: 1_000,
    }
  })
}

/** Whole quarters: a market without any change, one that moves, a long one without change and at last without volume. */
function still({ seed, start }) {
  const random = uniform(seed)
  const pick = pickOf(random)
  let close = start
  const flat = volume => ({ open: close, high: close, low: close, close, volume })
  const moving = () => {
    const open = close
    close += pick(-1.25, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1.25)
    return {
      open,
      high: Math.max(open, close) + pick(0, 0.25, 0.5),
      low: Math.min(open, close) - pick(0, 0.25, 0.5),
      close,
      volume: 300 + Math.round(900 * random()),
    }
  }
  const candles = (length, candle) => Array.from({ length }, candle)
  return [
    ...candles(60, () => flat(500)),
    ...candles(120, moving),
    ...candles(150, () => flat(500)),
    ...candles(150, () => flat(0)),
    ...candles(60, moving),
  ]
}

/** Gives the candles their opening times. Exchanges for stocks rest on Saturdays and Sundays. */
function dated(candles, start, step, restsAtWeekends = false) {
  let time = start
  return candles.map(candle => {
    const timestamp = time
    do time += step
    while (restsAtWeekends && [0, 6].includes(new Date(time * 1_000).getUTCDay()))
    return { timestamp, ...candle }
  })
}

function write(name, candles) {
  const header = 'timestamp,open,high,low,close,volume'
  const rows = candles.map(candle => header.split(',').map(column => candle[column]))
  const text = [header, ...rows.map(row => row.join(','))].join('\n')
  writeFileSync(new URL(`${name}.csv`, import.meta.url), `${text}\n`)
}

write(
  'volatile',
  dated(walk({ seed: 1, start: 30_000, step: 0.015, decimals: 2, volume: 4_000 }), 1_672_531_200, 4 * hour),
)
write(
  'penny',
  dated(walk({ seed: 2, start: 0.0001, step: 0.03, decimals: 9, volume: 5e8 }), 1_680_307_200, hour),
)
write('daily', dated(stock({ seed: 3, start: 85, step: 0.015 }), 1_641_168_000, day, true))
write('shapes', dated(shapes({ seed: 8_537, start: 200 }), 1_609_718_400, day, true))
write('rare', dated(rare({ seed: 61, start: 100 }), 1_546_387_200, day, true))
write('bent', dated(bent({ seed: 17, start: 1_000 }), 1_546_387_200, day, true))
write('belowzero', dated(belowzero(), 1_577_836_800, day))
write('still', dated(still({ seed: 23, start: 100 }), 1_577_836_800, hour))
