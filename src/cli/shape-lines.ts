import type { Candle } from '../candles/candle.js'
import { describe } from '../catalogue/description.js'
import type { Values } from '../catalogue/index.js'
import { originOf, type Shape, type Side, sideOf, sideOfValue } from '../catalogue/shape.js'
import type { OutputValue } from '../client/types.js'
import type { IndicatorSpec } from '../contract/query.js'
import type { ChartLine } from './line-chart.js'

/** The values of an indicator by output, oldest first, with the open times of their candles. */
export interface IndicatorValues {
  readonly timestamp: readonly number[]
  readonly [output: string]: readonly OutputValue[]
}

/** What the terminal draws of an indicator. */
export interface DrawnShapes {
  /** Lines over the closing prices, and below them. */
  readonly over: readonly ChartLine[]
  readonly below: readonly ChartLine[]
  /** Levels across the closing prices. */
  readonly levels: readonly number[]
  /** A character for each candle at which something is marked. */
  readonly marks: ReadonlyMap<number, string>
}

/** An indicator, its values aligned with the candles, and what its texts mean. */
interface Picture {
  readonly params: Values
  readonly candles: readonly Candle[]
  readonly valueAt: (output: string, candle: number) => OutputValue | undefined
  readonly sideAt: (output: string, candle: number) => Side
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** The shapes of an indicator as lines and marks: areas and boxes by their bounds, candles by their closes. */
export function shapeLines(
  { indicator, params }: IndicatorSpec,
  values: IndicatorValues,
  candles: readonly Candle[],
): DrawnShapes {
  const { outputs, drawing } = describe(indicator)
  // Several bars may have the same time.
  const last = values.timestamp.lastIndexOf(candles.at(-1)?.timestamp ?? -1)
  const begin = last < 0 ? Number.NaN : last + 1 - candles.length
  const valueAt = (output: string, candle: number) =>
    candle < candles.length ? (values[output] as readonly OutputValue[])[begin + candle] : undefined
  const directions = new Map(outputs.map(output => [output.name, output.directions]))
  const sideAt = (output: string, candle: number) =>
    sideOfValue(valueAt(output, candle), directions.get(output))
  const picture = { params, candles, valueAt, sideAt }
  const linesIn = (pane: Shape['pane']) =>
    drawing.filter(shape => shape.pane === pane).flatMap(shape => linesOf(shape, picture))
  return {
    over: linesIn('price').map(line => nearPrices(line, candles)),
    below: linesIn('own'),
    levels: drawing.flatMap(shape => retracementLevels(shape, picture)),
    marks: new Map(drawing.flatMap(shape => marksOf(shape, picture))),
  }
}

function linesOf(shape: Shape, picture: Picture): readonly ChartLine[] {
  switch (shape.kind) {
    case 'area':
    case 'mark':
    case 'count':
    case 'retracement':
      return []
    case 'candles':
      return shape.outputs.slice(-1).map(output => lineOf(shape, output, picture))
    case 'segments':
      return shape.outputs.map(output => segments(output, picture))
    default:
      return (shape.price ? [shape.price] : shape.outputs).map(output => lineOf(shape, output, picture))
  }
}

/** The values of an output, moved by as many candles as its shape says, with the sides of its colours. */
function lineOf(shape: Shape, output: string, { params, candles, valueAt, sideAt }: Picture): ChartLine {
  const candlesOf = (shift: number | string | undefined) =>
    typeof shift === 'string' ? Number(params[shift]) : (shift ?? 0)
  const shift = candlesOf(shape.ahead) - candlesOf(shape.behind)
  const raw = (candle: number) =>
    shape.price ? (candles[candle]?.[shape.price] ?? Number.NaN) : numberOf(valueAt(output, candle))
  const { colouredBy, colour } = shape
  const sides = candles.map((_, at) => {
    const candle = at - shift
    return sideOf(shape, raw(candle), {
      before: raw(candle - 1),
      close: candles[candle]?.close,
      by: colouredBy === undefined ? undefined : sideAt(colouredBy, candle),
    })
  })
  const values = candles.map((_, at) => raw(at - shift))
  return {
    name: output,
    values: shape.colouring === 'amount' ? values.map(Math.abs) : values,
    sides: colour === 'up' || colour === 'down' ? sides.map(() => (colour === 'up' ? 1 : -1)) : sides,
    isDots: shape.kind === 'dots',
    isLevel: shape.kind === 'level' || shape.kind === 'zone',
  }
}

/** The straight lines between the pivots, and from the last one to the newest close. */
function segments(output: string, { candles, valueAt }: Picture): ChartLine {
  const pivots: { readonly at: number; readonly price: number }[] = []
  for (const candle of candles.keys()) {
    const price = numberOf(valueAt(output, candle))
    const at = originOf(price, candle, pivots.at(-1)?.at ?? -1, k => {
      const { high, low, close } = candles[k] as Candle
      return [high, low, close]
    })
    if (at !== undefined) pivots.push({ at, price })
  }
  const last = { at: candles.length - 1, price: candles.at(-1)?.close ?? Number.NaN }
  const ends = pivots.at(-1)?.at === last.at ? pivots : [...pivots, last]
  const values = candles.map((_, candle) => {
    const next = ends.findIndex(({ at }) => at >= candle)
    const [from, to] = [ends[next - 1], ends[next]]
    if (to?.at === candle && pivots.length > 0) return to.price
    return from && to
      ? from.price + ((to.price - from.price) * (candle - from.at)) / (to.at - from.at)
      : Number.NaN
  })
  return { name: output, values }
}

/** What is far from the prices would flatten them: a level of long ago. */
function nearPrices(line: ChartLine, candles: readonly Candle[]): ChartLine {
  if (!line.isLevel) return line
  const [low, high] = [
    Math.min(...candles.map(each => each.low)),
    Math.max(...candles.map(each => each.high)),
  ]
  const reach = high - low
  const isNear = (value: number) => value <= high + reach && value >= low - reach
  return { ...line, values: line.values.map(value => (isNear(value) ? value : Number.NaN)) }
}

function retracementLevels(
  { kind, outputs, ratios = [] }: Shape,
  { candles, valueAt }: Picture,
): readonly number[] {
  if (kind !== 'retracement') return []
  const [start, end] = outputs.map(output => numberOf(valueAt(output, candles.length - 1)))
  if (start === undefined || end === undefined || Number.isNaN(start + end)) return []
  return ratios.map(ratio => end + (start - end) * ratio).sort((a, b) => a - b)
}

const arrows = { 1: '▲', '-1': '▼', 0: '•' } as const

/** The characters of marks, by their candles: arrows, the first character of a text, a count. */
function marksOf(shape: Shape, picture: Picture): readonly (readonly [candle: number, text: string])[] {
  if (shape.kind !== 'mark' && shape.kind !== 'count') return []
  const behind = typeof shape.behind === 'string' ? Number(picture.params[shape.behind]) : (shape.behind ?? 0)
  return shape.outputs.flatMap(output =>
    picture.candles.flatMap((_, candle) => {
      const text = markText(shape, output, candle, picture)
      return text !== undefined && candle >= behind ? [[candle - behind, text] as const] : []
    }),
  )
}

function markText(
  shape: Shape,
  output: string,
  candle: number,
  { valueAt, sideAt }: Picture,
): string | undefined {
  const { kind, at, colour, colouredBy, except = [], from = 1 } = shape
  const value = valueAt(output, candle)
  if (kind === 'count') {
    const count = Math.abs(numberOf(value))
    return count >= from ? String(count % 10) : undefined
  }
  if (typeof value === 'number') {
    if (value === 0) return undefined
    const isDown = at === 'above' || (at === 'sign' && value > 0) || (at === undefined && value < 0)
    return arrows[colour === 'quiet' ? 0 : isDown ? -1 : 1]
  }
  const isSaid =
    typeof value === 'string'
      ? value.split(',').some(text => text !== '' && text !== 'none' && !except.includes(text))
      : value === true
  const hasBegun = valueAt(output, candle - 1) !== value
  return isSaid && hasBegun ? arrows[colouredBy === undefined ? 0 : sideAt(colouredBy, candle)] : undefined
}
