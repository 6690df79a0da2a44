// Draws a small picture of each indicator over the same stretch of a demo market, for docs/indicators.
import { Columns, columnNames } from '#dist/candles/columns.js'
import { defaultsOf } from '#dist/catalogue/description.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { createDemoSource } from '#dist/exchanges/demo/demo-source.js'

const [symbol, timeframe] = ['ETHUSDT', '4h']
/** Candles that are computed, and those that a picture shows. */
const count = 3000
const shown = 90
/** Candles behind an event, where a picture is moved to one. */
const behind = 12
const [width, height, margin] = [300, 110, 5]
/** The lower edge of the prices, where the values have a pane of their own. */
const split = 46

// Colours of medium lightness, which can be seen on light and on dark pages.
const priceColour = '#909090'
const lineColours = ['#4a90d9', '#d08a1d', '#8e6bbf', '#3d9970']
const [bullish, bearish] = ['#3d9970', '#d9534f']

const calculator = new Calculator()

/** The market of all pictures: the candles before a fixed time, which are always the same. */
function readMarket() {
  const candles = createDemoSource(() => Date.UTC(2026, 0, 5) / 1000).candles(symbol, timeframe, count)
  const columns = new Columns(count)
  for (const name of columnNames) columns[name].set(candles.map(candle => candle[name]))
  return { columns, closed: count, forming: undefined, count }
}

/** The values of the outputs that can be drawn: those of numbers, signals and flags. */
function valuesOf(entry, market) {
  const { columns } = calculator.calculate({ indicator: entry, params: defaultsOf(entry) }, market)
  return entry.outputs
    .filter(({ kind }) => kind !== 'label' && kind !== 'names')
    .map(({ kind, column }) => ({ kind, values: columns[column].slice() }))
}

const isEvent = ({ kind }) => kind === 'signal' || kind === 'flag'
const isDrawn = value => Number.isFinite(value)

/** The first candle of the stretch that is shown: the newest one that has something to show. */
function startOf(outputs) {
  const newest = count - shown
  const lines = outputs.filter(output => !isEvent(output))
  if (lines.some(({ values }) => values.subarray(newest).some(isDrawn))) return newest
  for (let i = count - behind; i >= shown; i--) {
    const hasEvent = outputs.some(output =>
      isEvent(output) ? output.values[i] > 0 || output.values[i] < 0 : isDrawn(output.values[i]),
    )
    if (hasEvent) return i + behind - shown
  }
  return newest
}

/** Coordinates to half a pixel. */
const half = value => `${Math.round(2 * value) / 2}`

/** The height of values between `top` and `bottom` pixels, for all of some columns and some levels. */
function scaleOf(columns, from, top, bottom, levels = []) {
  const drawn = columns.flatMap(column => [...column.subarray(from, from + shown)]).filter(isDrawn)
  const values = [...drawn, ...levels]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const perPixel = (high - low) / (bottom - top) || 1
  return value => (high === low ? (top + bottom) / 2 : bottom - (value - low) / perPixel)
}

const x = k => margin + (k * (width - 2 * margin)) / (shown - 1)

/** A line through the values that are there. */
function pathOf(values, from, y) {
  let path = ''
  let isDown = false
  for (let k = 0; k < shown; k++) {
    const value = values[from + k]
    if (!isDrawn(value)) {
      isDown = false
      continue
    }
    const isAlone = !isDown && !isDrawn(values[from + k + 1])
    path += `${isDown ? 'L' : 'M'}${half(x(k))} ${half(y(value))}${isAlone ? 'h1' : ''}`
    isDown = true
  }
  return path
}

/** Arrows at the candles with an event, those of bearish ones above the price. A state that lasts is no event. */
function eventsOf(values, from, prices, y) {
  const isOften =
    values.subarray(from, from + shown).filter(value => value > 0 || value < 0).length > shown / 3
  if (isOften) return []
  let [up, down] = ['', '']
  for (let k = 0; k < shown; k++) {
    const value = values[from + k]
    const at = `M${half(x(k))} `
    if (value > 0) up += `${at}${half(y(prices[from + k]) + 4)}l-3 5h6z`
    else if (value < 0) down += `${at}${half(y(prices[from + k]) - 4)}l-3 -5h6z`
  }
  return [
    ...(up ? [`<path d="${up}" fill="${bullish}"/>`] : []),
    ...(down ? [`<path d="${down}" fill="${bearish}"/>`] : []),
  ]
}

/** Values far from the prices are left out of their pane: a level of long ago, a price that was never near. */
function nearPrices(values, prices, from) {
  const close = prices.subarray(from, from + shown)
  const [low, high] = [Math.min(...close), Math.max(...close)]
  const reach = high - low
  return values.map(value => (value > high + reach || value < low - reach ? Number.NaN : value))
}

/** The picture of an indicator. */
function draw(entry, market) {
  const outputs = valuesOf(entry, market)
  const from = startOf(outputs)
  const prices = market.columns.close
  const events = outputs.filter(isEvent)
  const lines = outputs.filter(output => !isEvent(output)).map(({ values }) => values)
  const isApart = !entry.overlay && lines.some(values => values.subarray(from, from + shown).some(isDrawn))
  const over = isApart ? [] : lines.map(values => nearPrices(values, prices, from))
  const inset = events.length > 0 ? 12 : margin
  const y = scaleOf([prices, ...over], from, inset, (isApart ? split : height) - inset)
  const levels = isApart ? (entry.scale?.levels ?? []) : []
  const own = isApart ? scaleOf(lines, from, split + margin, height - margin, levels) : y
  const across = levels.map(level => `M${margin} ${half(own(level))}H${width - margin}`).join('')
  const paths = (isApart ? lines : over).map((values, k) => {
    const path = pathOf(values, from, own)
    return path && `<path d="${path}" stroke="${lineColours[k % lineColours.length]}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="none">
<title>${entry.name} over ${shown} candles of a demo market</title>
<path d="${pathOf(prices, from, y)}" stroke="${priceColour}"/>
${[across && `<path d="${across}" stroke="${priceColour}" stroke-width=".5" stroke-dasharray="2 2"/>`, ...paths, ...events.flatMap(({ values }) => eventsOf(values, from, prices, y))].filter(Boolean).join('\n')}
</svg>
`
}

/** The pictures of some indicators, by their names. */
export function drawPictures(entries) {
  const market = readMarket()
  return new Map(entries.map(entry => [entry.name, draw(entry, market)]))
}
