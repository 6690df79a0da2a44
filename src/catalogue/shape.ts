/** Kinds of shapes, and their use of outputs. */
export const shapeKinds = {
  line: 'a line through the values of each output',
  steps: 'a line that stays at a value until the next one',
  dots: 'a dot at each value; of a flag or a text on the line 0',
  histogram: 'a bar from 0 to each value',
  area: 'the area between two outputs, the bounds of a band',
  cloud: 'the area between two outputs, in the colour of rises where the first is above the second',
  candles: 'candles of their own: open, high, low, close',
  level: 'a horizontal line as long as the value stays the same',
  trendline: 'a straight line, inclined or not, as long as the value changes evenly',
  zone: 'a box over the candles at which both outputs, top and bottom, stay the same',
  segments:
    'straight lines from pivot to pivot, whose prices the output gives at the candles that confirm them; the last one, dashed, to the extreme since then',
  retracement:
    'the levels at `ratios` of the way back to the first output (a price) from the second (a price), for the newest candle; the third and the fourth are the times of these prices',
  mark: 'a mark at a candle: of a signal or a number by its sign, of a text or a flag where it begins',
  count: 'the number itself at its candle, where it is not 0',
} as const
export type ShapeKind = keyof typeof shapeKinds

/** Criteria for the colours of rises and of falls. */
export const colourings = {
  sign: 'the sign of the value',
  amount: 'the sign of the value, which is drawn as if it were positive',
  change: 'whether it rose since the candle before',
  signAndChange: 'its sign, paler where it comes nearer to 0',
  side: 'whether the close is above it (rises) or below',
} as const
export type Colouring = keyof typeof colourings

/** Panes of a shape: over the candles, or the pane of the indicator. */
export const panes = ['price', 'own'] as const

/**
 * One element of the picture of an indicator. A kind with one output is drawn once for each of `outputs`. Several lines are
 * a ribbon, in which each line is paler than its predecessor.
 */
export interface Shape<Output extends string = string, Param extends string = string> {
  readonly kind: ShapeKind
  readonly outputs: readonly Output[]
  readonly pane: (typeof panes)[number]
  /** Its place among the colours of the indicator, from 1 on, or its meaning; a colouring replaces it. */
  readonly colour?: number | 'up' | 'down' | 'quiet'
  /** Criterion of the colours of rises and falls; a line is broken where its colour changes. */
  readonly colouring?: Colouring
  /**
   * The output that decides the colour instead: a positive number, an upward text and a set flag have the colour of rises.
   */
  readonly colouredBy?: Output
  /** Candles by which it is drawn after, or before, its candle: a number, or the name of a parameter. */
  readonly ahead?: number | Param
  readonly behind?: number | Param
  /** Begins at the last candle with its price: a level at a high or low, a zone at both. */
  readonly fromPrice?: true
  /**
   * The output with the distance in candles of the start of a line to a mark: from that candle's high or low to this one's.
   */
  readonly span?: Output
  /** A short text next to it. */
  readonly label?: string
  /** Side of the candle for a mark that is no advice: with `sign`, a positive value above (a high), any other below. */
  readonly at?: 'above' | 'below' | 'sign'
  /** The smallest number of a count that is drawn. */
  readonly from?: number
  /** Column of the candles that is drawn, for a line without outputs. */
  readonly price?: 'close'
  /** Shares of a retracement. */
  readonly ratios?: readonly number[]
  /** Texts that are too frequent to be marked. */
  readonly except?: readonly string[]
}

/** A shape in the form of an entry: over the candles if its indicator is, or if it is a mark. */
export type EntryShape<Output extends string = string, Param extends string = string> = Omit<
  Shape<Output, Param>,
  'pane'
> &
  Partial<Pick<Shape, 'pane'>>

/** Up, down, or neither. */
export type Side = 1 | -1 | 0

const sideOfNumber = (value: number): Side => (value > 0 ? 1 : value < 0 ? -1 : 0)

/** The side of a printed value for `colouredBy`: of a number above 0, of a text with a direction, of a set flag. */
export function sideOfValue(value: unknown, directions?: Readonly<Record<string, 1 | -1>>): Side {
  if (typeof value === 'string') return directions?.[value] ?? 0
  return typeof value === 'number' || typeof value === 'boolean' ? (Number(value) > 0 ? 1 : -1) : 0
}

/** Values that may decide the colour of a value. */
export interface Surroundings {
  /** The value of the previous candle. */
  readonly before?: number | undefined
  /** The close of its candle. */
  readonly close?: number | undefined
  /** The side of the value of `colouredBy`. */
  readonly by?: Side | undefined
}

/** The side that gives a value its colour; undefined if it has the colour of its shape. */
export function sideOf(
  { colouring, colouredBy }: Pick<Shape, 'colouring' | 'colouredBy'>,
  value: number,
  { before, close, by = 0 }: Surroundings,
): Side | undefined {
  if (colouredBy !== undefined) return by
  switch (colouring) {
    case 'sign':
    case 'amount':
    case 'signAndChange':
      return sideOfNumber(value)
    case 'change':
      return before === undefined || value >= before ? 1 : -1
    case 'side':
      return close === undefined ? 0 : close >= value ? 1 : -1
    default:
      return undefined
  }
}

/** The newest candle from `after` + 1 to `at` with `price` as one of its prices; undefined if there is none. */
export function originOf(
  price: number,
  at: number,
  after: number,
  pricesAt: (candle: number) => readonly (number | undefined)[],
): number | undefined {
  for (let candle = at; candle > after; candle--) if (pricesAt(candle).includes(price)) return candle
  return undefined
}
