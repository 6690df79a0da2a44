import type { Description, OutputDescription } from '../model/catalogue.js'

/** How the numbers of an output are drawn. `broken` has gaps where there is no value, `level` is horizontal. */
export type LineStyle = 'line' | 'histogram' | 'broken' | 'level'

export interface DrawnLine {
  /** The place of the output among the indicator's outputs. */
  readonly output: number
  readonly style: LineStyle
  /** 0 is the colour of the study, others are those after it. */
  readonly colour: number
}

/** How an indicator is drawn. Places are those of its outputs. */
export interface Drawing {
  /** In the pane of the candles; otherwise it has its own. */
  readonly isOverCandles: boolean
  readonly lines: readonly DrawnLine[]
  /** The area between two outputs. */
  readonly fill: { readonly upper: number; readonly lower: number } | undefined
  /** A box for as long as both outputs stay the same. */
  readonly zone: { readonly top: number; readonly bottom: number } | undefined
  /** Values at which a line crosses the pane. */
  readonly levels: readonly number[]
  /** Outputs whose values are marked at their candle. */
  readonly marks: readonly number[]
}

/** Outputs of indicators over the candles that are no prices: they are values in the legend only. */
const noPrice = /timestamp$|gaps$|^(touches|position|width|volume|span|current|deepest)$/i
/** Signals that say how things are, at every candle, and not that something happened. */
const state = /direction$/i
const upper = /upper|^spanA$/i
const lower = /lower|^spanB$/i

const isMarked = ({ name, kind }: OutputDescription, isOverlay: boolean): boolean => {
  if (kind === 'signal') return !state.test(name)
  if (kind === 'names') return true
  return isOverlay && (kind === 'label' || kind === 'flag')
}

function styleOf(name: string, isStructure: boolean, isChartPattern: boolean): LineStyle {
  if (/hist(ogram)?$/i.test(name)) return 'histogram'
  // Bounds of a figure are inclined; every other price of a figure or of the market's structure is a level.
  if (isStructure || isChartPattern) return upper.test(name) || lower.test(name) ? 'broken' : 'level'
  return 'line'
}

/** Decides by the catalogue's hints: kinds of outputs, whether they are prices, the category. */
export function drawingOf({ outputs, overlay, category, scale }: Description): Drawing {
  const isStructure = category === 'Market Structure'
  // A pattern that gives a number at every candle is drawn as a line of its own.
  const hasEvents = outputs.some(({ kind }) => kind !== 'number')
  const isPattern = hasEvents && (category.startsWith('Pattern') || category === 'Divergence')
  const place = (test: (name: string) => boolean) =>
    outputs.findIndex(({ name, kind }) => kind === 'number' && test(name))
  const top = place(name => name === 'top')
  const bottom = place(name => name === 'bottom')
  const zone = isStructure && top >= 0 && bottom >= 0 ? { top, bottom } : undefined
  const upperAt = place(name => upper.test(name))
  const lowerAt = place(name => lower.test(name))
  const isBand = upperAt >= 0 && lowerAt >= 0 && !isStructure && !isPattern

  const lines: DrawnLine[] = []
  let colour = 0
  for (const [output, { name, kind }] of outputs.entries()) {
    const isLine = kind === 'number' && (overlay ? !noPrice.test(name) : !isPattern)
    if (!isLine || (zone && (output === top || output === bottom))) continue
    const isBound = isBand && (output === upperAt || output === lowerAt)
    // The two bounds of a band have one colour.
    const taken = isBound ? lines.find(line => line.output === upperAt || line.output === lowerAt) : undefined
    lines.push({ output, style: styleOf(name, isStructure, isPattern), colour: taken?.colour ?? colour })
    if (!taken) colour++
  }
  return {
    isOverCandles: overlay || isPattern,
    lines,
    fill: isBand ? { upper: upperAt, lower: lowerAt } : undefined,
    zone,
    levels: scale?.levels ?? [],
    marks: outputs.flatMap((output, at) => (isMarked(output, overlay) ? [at] : [])),
  }
}
