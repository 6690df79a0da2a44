import type { Output, PlacedOutput } from './define.js'
import type { Entry } from './index.js'
import type { EntryShape, Shape } from './shape.js'

const upper = /upper/i
const lower = /lower/i
const histogram = /hist(ogram)?$/i
/**
 * Names that mean a side of the market or of a trade, as charts colour them: supports and targets like rises, resistances
 * and stops like falls.
 */
const rises = /^(value)?(plus|pdi|bull|long|buy|(aroon)?up$|trendup$|support|s\d$|target)/i
const falls = /^(value)?(minus|mdi|bear|short|sell|(aroon)?down$|trenddown$|resistance|r\d$|stop$)/i

/** Whether an output is drawn as a number: over the candles only prices are. */
function isDrawn({ overlay, params }: Entry, output: PlacedOutput): boolean {
  if (output.kind !== 'number' || output.unit === 'time') return false
  if (!overlay) return true
  const defaults = Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param.default]))
  const degree = output.degree?.(defaults)
  return degree === 'free' || (degree?.[0] === 1 && degree[1] === 0)
}

const sideOf = (name: string): 'up' | 'down' | undefined =>
  rises.test(name) ? 'up' : falls.test(name) ? 'down' : undefined

/** The shape of a number by its name, and by whether it is a level that some candles lack. */
function kindOf({ name, sparse }: Output, overlay: boolean, isBound: boolean): Shape['kind'] {
  if (histogram.test(name)) return 'histogram'
  if (!sparse || !overlay) return 'line'
  return isBound || /^(neckline|target)$/.test(name) ? 'trendline' : 'level'
}

/** The zone of an entry with a top, a bottom and at most a signal with its side. */
function zoneOf({ outputs, overlay }: Entry): EntryShape | undefined {
  const has = (name: string) => outputs.some(output => output.name === name)
  if (!overlay || !has('top') || !has('bottom')) return undefined
  return {
    kind: 'zone',
    outputs: ['top', 'bottom'],
    ...(has('value') ? { colouredBy: 'value' } : { colour: 1 }),
  }
}

/** The two bounds of a band, the upper one first. */
function boundsOf(drawn: readonly Output[]): readonly string[] {
  const bounds = [upper, lower].flatMap(side => drawn.find(({ name }) => side.test(name))?.name ?? [])
  return bounds.length === 2 ? bounds : []
}

/** The default drawing of an entry: numbers as lines, bounds with the area between them, signals as marks. */
function defaultShapes(entry: Entry): readonly EntryShape[] {
  const { outputs, overlay } = entry
  const zone = zoneOf(entry)
  const isFree = ({ name }: Output) => !zone?.outputs.includes(name) && name !== zone?.colouredBy
  const drawn = outputs.filter(output => isDrawn(entry, output) && isFree(output))
  const bounds = boundsOf(drawn)
  let colours = 0
  let boundColour: number | undefined
  const shapes = drawn.map((output): EntryShape => {
    const { name } = output
    const isBound = bounds.includes(name)
    const kind = kindOf(output, overlay, isBound)
    if (kind === 'histogram') return { kind, outputs: [name], colouring: 'signAndChange' }
    if (isBound) boundColour ??= ++colours
    const colour = isBound ? boundColour : (sideOf(name) ?? ++colours)
    return { kind, outputs: [name], colour: colour as NonNullable<typeof colour> }
  })
  const area: EntryShape[] = boundColour ? [{ kind: 'area', outputs: bounds, colour: boundColour }] : []
  const [bars, lines] = [true, false].map(isBar =>
    shapes.filter(({ kind }) => (kind === 'histogram') === isBar),
  )
  const signals = outputs.filter(output => output.kind === 'signal' && isFree(output))
  const marks = signals.map(({ name }): EntryShape => ({ kind: 'mark', outputs: [name] }))
  return [...(zone ? [zone] : []), ...area, ...(bars ?? []), ...(lines ?? []), ...marks]
}

/** The shapes of an indicator, in the order in which they are drawn. */
export function drawingOf(entry: Entry): readonly Shape[] {
  const onCandles: readonly Shape['kind'][] = ['mark', 'count']
  return (entry.drawing ?? defaultShapes(entry)).map(shape => ({
    pane: entry.overlay || onCandles.includes(shape.kind) ? 'price' : 'own',
    ...shape,
  }))
}
