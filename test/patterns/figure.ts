import type { PlainColumns } from '../support/kernel.js'
import { type Indicators, indicators, type Readings } from './detectors.js'
import type { Fixture } from './fixture.js'
import { readFixtures } from './read-fixtures.js'

const width = 480
const height = 200
const margin = 14
/** Space on the right for the names of levels. */
const labelWidth = 64
/** Number of candles shown before the confirming candle and after it. */
const maxBefore = 120
const maxAfter = 8
/** Levels farther from the candles than their own range are not drawn. */
const maxOvershoot = 1

// Colours of medium lightness, which can be seen on light and on dark pages.
const colours = { up: '#3d9970', down: '#d9534f', level: '#4a90d9', mark: '#d08a1d', text: '#808080' }

/** A price level: a straight line through the confirming candle. */
interface Level {
  readonly name: string
  readonly price: number
  /** The change of the price per candle. */
  readonly slope: number
}

/** Parameters for the number of candles that a pivot is compared with, on its left and on its right. */
const spanParameters = [
  ['swingLeft', 'swingRight'],
  ['pivotLeft', 'pivotRight'],
  ['lookback', 'lookforward'],
  ['left', 'right'],
  ['depth', 'depth'],
] as const

/** The candles to the left and to the right of a pivot; undefined for an indicator without pivots. */
function spansOf({ id, params }: Fixture, { defaultsOf }: Indicators): readonly [number, number] | undefined {
  const values = { ...defaultsOf(id), ...params }
  const pair = spanParameters.find(names => names.every(name => name in values))
  if (!pair) return undefined
  const [left, right] = pair.map(name => Number(values[name]) / (name === 'depth' ? 2 : 1)) as [
    number,
    number,
  ]
  return [Math.floor(left), Math.floor(right)]
}

/** The turning points of highs (side 1) or lows (side −1) that are known at the confirming candle. */
function pivotsOf({ market, at }: Fixture, side: 1 | -1, left: number, right: number): readonly number[] {
  const prices = (side > 0 ? market.high : market.low).map(price => side * price)
  const found: number[] = []
  for (let i = left; i + right <= at; i++) {
    const price = prices[i] as number
    const isHigher = (other: number) => price > other
    const isAsHigh = (other: number) => price >= other
    if (prices.slice(i - left, i).every(isAsHigh) && prices.slice(i + 1, i + right + 1).every(isHigher))
      found.push(i)
  }
  return found
}

/** Pivots as small circles beyond their candles. */
function pivotCircles(fixture: Fixture, indicators: Indicators, scale: Scale): string {
  const spans = spansOf(fixture, indicators)
  if (!spans) return ''
  const circles = ([1, -1] as const).flatMap(side =>
    pivotsOf(fixture, side, ...spans)
      .filter(i => i >= scale.from)
      .map(i => {
        const price = (side > 0 ? fixture.market.high : fixture.market.low)[i] as number
        return `<circle cx="${short(scale.x(i))}" cy="${short(scale.y(price) - 4 * side)}" r="2"/>`
      }),
  )
  return `<g stroke="${colours.text}">${circles.join('')}</g>\n`
}

/** Coordinates to a tenth of a pixel. */
const short = (value: number) => `${Math.round(value * 10) / 10}`

/** The market and one more candle at its last close, so that the last candle has a next one. */
function prolonged({ timestamp, open, high, low, close, volume }: PlainColumns): PlainColumns {
  const price = close.at(-1) as number
  const [before = 0, last = 0] = timestamp.slice(-2)
  return {
    timestamp: [...timestamp, 2 * last - before],
    open: [...open, price],
    high: [...high, price],
    low: [...low, price],
    close: [...close, price],
    volume: [...volume, volume.at(-1) as number],
  }
}

/** The levels that a fixture expects, as the indicator gives them. */
function levelsOf({ prices, at }: Fixture, readings: Readings): readonly Level[] {
  const levels: Level[] = []
  for (const name of prices) {
    const price = readings[name]?.[at]
    const next = readings[name]?.[at + 1]
    if (typeof price !== 'number') continue
    levels.push({ name, price, slope: typeof next === 'number' ? next - price : 0 })
  }
  return levels
}

/** The coordinates of the candles [from, to) of a market and of prices. */
class Scale {
  readonly step: number
  readonly #bottom: number
  readonly #perPixel: number

  constructor(
    market: PlainColumns,
    readonly from: number,
    readonly to: number,
    readonly levels: readonly Level[],
  ) {
    const top = Math.max(...market.high.slice(from, to))
    const bottom = Math.min(...market.low.slice(from, to))
    const overshoot = maxOvershoot * (top - bottom)
    const shown = levels
      .map(({ price }) => price)
      .filter(price => price <= top + overshoot && price >= bottom - overshoot)
    const highest = Math.max(top, ...shown)
    this.#bottom = Math.min(bottom, ...shown)
    // A market without any range is a line.
    this.#perPixel = (highest - this.#bottom || 1) / (height - 2 * margin)
    this.step = (width - 2 * margin - labelWidth) / (to - from)
  }

  /** The centre of candle `i`. */
  x(i: number): number {
    return margin + (i - this.from + 0.5) * this.step
  }

  y(price: number): number {
    return height - margin - (price - this.#bottom) / this.#perPixel
  }
}

/** Wicks and bodies, each as one path for all candles of a colour. */
function candlePaths({ open, high, low, close }: PlainColumns, scale: Scale): string {
  const half = Math.max(0.5, Math.min(4, scale.step * 0.35))
  const paths = { up: ['', ''], down: ['', ''] }
  for (let i = scale.from; i < scale.to; i++) {
    const y = (prices: readonly number[]) => scale.y(prices[i] as number)
    const path = y(close) <= y(open) ? paths.up : paths.down
    const top = Math.min(y(open), y(close))
    // A body without height is seen as a line.
    const body = Math.max(0.8, Math.abs(y(open) - y(close)))
    const x = scale.x(i)
    path[0] += `M${short(x)} ${short(y(high))}V${short(y(low))}`
    path[1] += `M${short(x - half)} ${short(top)}h${short(2 * half)}v${short(body)}h${short(-2 * half)}z`
  }
  return (['up', 'down'] as const)
    .flatMap(side => [
      `<path d="${paths[side][0]}" stroke="${colours[side]}"/>`,
      `<path d="${paths[side][1]}" fill="${colours[side]}"/>`,
    ])
    .filter(path => !path.includes('d=""'))
    .join('\n')
}

/** The levels as dashed lines over the whole width, with their names at the right, without overlap. */
function levelLines(scale: Scale, at: number): string {
  const right = width - margin - labelWidth
  const price = ({ price, slope }: Level, i: number) => price + slope * (i - at)
  const ends = scale.levels
    .map(level => ({ level, y: scale.y(price(level, scale.to - 0.5)) }))
    .filter(({ y }) => y >= 0 && y <= height)
    .sort((a, b) => a.y - b.y)
  let textY = 0
  return ends
    .map(({ level, y }) => {
      textY = Math.min(height - 2, Math.max(y + 3, textY + 10))
      const left = scale.y(price(level, scale.from - 0.5))
      const line = `<path d="M${margin} ${short(left)}L${right} ${short(y)}" stroke="${colours.level}" stroke-dasharray="4 3" clip-path="url(#c)"/>`
      return `${line}\n<text x="${right + 4}" y="${short(textY)}">${level.name}</text>`
    })
    .join('\n')
}

/** A figure of a fixture: its candles, the confirming one marked, the pivots known there, and its levels. */
export function drawFigure(fixture: Fixture, indicators: Indicators): string {
  const { id, params, market, at, expected } = fixture
  const from = Math.max(0, at - maxBefore)
  const to = Math.min(market.close.length, at + maxAfter + 1)
  const scale = new Scale(
    market,
    from,
    to,
    levelsOf(fixture, indicators.readingsOf(id, prolonged(market), params)),
  )
  const x = short(scale.x(at))
  const isBearish = indicators.signalsOf(id).some(name => Number(expected[name] ?? 0) < 0)
  // An arrow at the candle: from above for a bearish signal, from below otherwise.
  const y = isBearish ? scale.y(market.high[at] as number) - 4 : scale.y(market.low[at] as number) + 4
  const arrow = `M${x} ${short(y)}l-4 ${isBearish ? -7 : 7}h8z`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="none" font-family="sans-serif" font-size="10">
<title>${id}: the marked candle confirms it</title>
<clipPath id="c"><path d="M0 0h${width}v${height}H0z"/></clipPath>
<path d="M${x} 0V${height}" stroke="${colours.mark}" stroke-opacity="0.5" stroke-dasharray="2 2"/>
${candlePaths(market, scale)}
${pivotCircles(fixture, indicators, scale)}<g fill="${colours.text}">
${levelLines(scale, at)}
</g>
<path d="${arrow}" fill="${colours.mark}"/>
</svg>
`
}

/** The figures of docs/figures by the name of their file: one for each indicator that has a fixture. */
export async function readFigures(): Promise<ReadonlyMap<string, string>> {
  const first = new Map<string, Fixture>()
  for (const fixture of await readFixtures()) if (!first.has(fixture.id)) first.set(fixture.id, fixture)
  return new Map([...first].map(([id, fixture]) => [`${id}.svg`, drawFigure(fixture, indicators)]))
}
