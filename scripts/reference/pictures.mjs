// A small picture of each indicator over the same stretch of a demo market.
import { Columns, columnNames } from '#dist/candles/columns.js'
import { defaultsOf } from '#dist/catalogue/description.js'
import { drawingOf } from '#dist/catalogue/drawing.js'
import { originOf, sideOf } from '#dist/catalogue/shape.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { createDemoSource } from '#dist/markets/exchanges/demo/demo-source.js'

const [symbol, timeframe] = ['ETHUSDT', '4h']
/** Numbers of computed candles and of candles in a picture. */
const count = 3000
const shown = 90
/** Number of candles behind an event, if a picture is moved to one. */
const behind = 12
const [width, height, margin] = [300, 110, 5]
/** The lower edge of the prices, if the values have a pane of their own. */
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

/** The columns of an indicator by the names of its outputs; those of texts have the codes of the kernel, whose sign is their direction. */
function valuesOf(entry, market) {
  const { columns } = calculator.calculate({ indicator: entry, params: defaultsOf(entry) }, [market])
  return Object.fromEntries(entry.outputs.map(({ name, column }) => [name, columns[column].slice()]))
}

const isDrawn = value => Number.isFinite(value)
const isEvent = value => value > 0 || value < 0
const isMark = ({ kind }) => kind === 'mark' || kind === 'count'

/** The first candle of the picture's stretch: the newest one with something to show. */
function startOf(shapes, values) {
  const newest = count - shown
  const columnsOf = test => shapes.filter(test).flatMap(({ outputs }) => outputs.map(name => values[name]))
  const [lines, marks] = [columnsOf(shape => !isMark(shape)), columnsOf(isMark)]
  if (lines.some(column => column.subarray(newest).some(isDrawn))) return newest
  for (let i = count - behind; i >= shown; i--)
    if (lines.some(column => isDrawn(column[i])) || marks.some(column => isEvent(column[i])))
      return i + behind - shown
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

const step = (width - 2 * margin) / (shown - 1)
const x = k => margin + k * step

/** The visible points of a shape: `k` counts from the first candle of the picture. */
function pointsOf(shape, name, { values, prices, params, from, y }) {
  const column = shape.price ? prices : values[name]
  const by = shape.colouredBy && values[shape.colouredBy]
  const shift = numberOf(shape.ahead, params) - numberOf(shape.behind, params)
  const points = []
  for (let i = Math.max(0, from - shift); i < Math.min(count, from + shown - shift); i++) {
    const raw = column[i]
    if (!isDrawn(raw)) continue
    const surroundings = { before: column[i - 1], close: prices[i], by: by && (by[i] > 0 ? 1 : -1) }
    const value = shape.colouring === 'amount' ? Math.abs(raw) : raw
    points.push({ k: i + shift - from, value, y: y(value), side: sideOf(shape, raw, surroundings) })
  }
  return points
}

/** A number of candles, given directly or as the name of a parameter with a default. */
const numberOf = (shift, params) => (typeof shift === 'string' ? Number(params[shift]) : (shift ?? 0))

const colourOf = ({ colour }, side) =>
  side === 1 || (side === undefined && colour === 'up')
    ? bullish
    : side === -1 || (side === undefined && colour === 'down')
      ? bearish
      : typeof colour === 'number'
        ? lineColours[(colour - 1) % lineColours.length]
        : priceColour

/** Texts of paths by their colours, in the order of their first points. */
function paths(points, shape, text, attribute = 'stroke', more = '') {
  const byColour = new Map()
  for (const [at, point] of points.entries()) {
    const colour = colourOf(shape, point.side)
    byColour.set(colour, (byColour.get(colour) ?? '') + text(point, points[at - 1]))
  }
  return [...byColour].map(([colour, d]) => `<path d="${d}" ${attribute}="${colour}"${more}/>`)
}

const isJoined = (point, before) =>
  before !== undefined && before.k === point.k - 1 && before.side === point.side

/** Drawing functions by kind, for the points of one output. */
const drawers = {
  line: (point, before) => `${isJoined(point, before) ? 'L' : 'M'}${half(x(point.k))} ${half(point.y)}`,
  steps: (point, before) =>
    isJoined(point, before)
      ? `H${half(x(point.k))}V${half(point.y)}`
      : `M${half(x(point.k))} ${half(point.y)}h1`,
  level: (point, before) =>
    isJoined(point, before) && before.value === point.value
      ? `H${half(x(point.k))}`
      : `M${half(x(point.k))} ${half(point.y)}h1`,
  dots: point => `M${half(x(point.k))} ${half(point.y)}h0`,
}
drawers.trendline = (point, before) => {
  // The first point of another line is far from the one before.
  const isNear = isJoined(point, before) && Math.abs(point.y - before.y) < 6
  return `${isNear ? 'L' : 'M'}${half(x(point.k))} ${half(point.y)}`
}

function drawArea(shape, context) {
  const [first, second] = shape.outputs.map(name => pointsOf(shape, name, context))
  const others = new Map(second.map(point => [point.k, point]))
  const pairs = first.flatMap(point => (others.has(point.k) ? [[point, others.get(point.k)]] : []))
  if (pairs.length < 2) return []
  const outline = (some, close = '') => some.map(({ k, y }) => `${half(x(k))} ${half(y)}`).join('L') + close
  const fill = (some, colour) =>
    some.length < 2
      ? []
      : [
          `<path d="M${outline(some.map(pair => pair[0]))}L${outline(some.map(pair => pair[1]).reverse(), 'z')}" fill="${colour}" fill-opacity=".15"/>`,
        ]
  if (shape.kind === 'area') return fill(pairs, colourOf(shape))
  const parts = []
  for (const pair of pairs) {
    const side = pair[0].value >= pair[1].value
    if (parts.at(-1)?.side === side) parts.at(-1).pairs.push(pair)
    else parts.push({ side, pairs: [pair] })
  }
  return parts.flatMap(part => fill(part.pairs, part.side ? bullish : bearish))
}

function drawCandles(shape, context) {
  const [opens, highs, lows, closes] = shape.outputs.map(name => pointsOf(shape, name, context))
  const body = Math.max(1, Math.round(step) - 1)
  const candles = closes.map((close, at) => ({ ...close, side: close.value >= opens[at].value ? 1 : -1, at }))
  return paths(
    candles,
    shape,
    ({ k, y, at }) => {
      const [top, bottom] = [Math.min(y, opens[at].y), Math.max(y, opens[at].y)]
      const left = half(x(k) - body / 2)
      return `M${left} ${half(top)}h${body}V${half(bottom + 0.5)}h-${body}zM${half(x(k))} ${half(highs[at].y)}h.5V${half(lows[at].y)}h-.5z`
    },
    'fill',
  )
}

/** Boxes of the candles at which both prices stay the same. */
function drawZones(shape, context) {
  const [tops, bottoms] = shape.outputs.map(name => pointsOf(shape, name, context))
  const boxes = []
  for (const [at, top] of tops.entries()) {
    const last = boxes.at(-1)
    const isSame =
      last?.top.value === top.value && last.bottom.value === bottoms[at].value && last.end === top.k - 1
    if (isSame) last.end = top.k
    else boxes.push({ top, bottom: bottoms[at], start: top.k, end: top.k, side: top.side })
  }
  return paths(
    boxes,
    shape,
    ({ top, bottom, start, end }) =>
      `M${half(x(start))} ${half(top.y)}H${half(x(end) + 1)}V${half(bottom.y)}H${half(x(start))}z`,
    'fill',
    ' fill-opacity=".25"',
  )
}

function drawSegments(shape, { values, market, from, y }) {
  const { high, low, close } = market.columns
  const column = values[shape.outputs[0]]
  const pivots = []
  for (let i = 0; i < count; i++) {
    if (!isDrawn(column[i])) continue
    const at = originOf(column[i], i, pivots.at(-1)?.at ?? -1, k => [high[k], low[k], close[k]])
    if (at !== undefined) pivots.push({ at, k: at - from, y: y(column[i]) })
  }
  const visible = pivots.filter(({ k }, at) => pivots[at + 1]?.k >= 0 || k >= 0).filter(({ k }) => k < shown)
  return paths(
    visible,
    shape,
    ({ k, y: height }, before) => `${before ? 'L' : 'M'}${half(x(k))} ${half(height)}`,
  )
}

function drawRetracement(shape, { values, from, y }) {
  const newest = from + shown - 1
  const [start, end] = shape.outputs.map(name => values[name][newest])
  const levels = shape.ratios.map(ratio => ({ y: y(end + (start - end) * ratio) }))
  return paths(levels, shape, ({ y: height }) => `M${margin} ${half(height)}H${width - margin}`)
}

/** Arrows at the candles with an event, bearish ones above the price. A lasting state is no event. */
function drawMarks(shape, { values, params, from, prices, y }) {
  return shape.outputs.flatMap(name => {
    const shift = -numberOf(shape.behind, params)
    const events = []
    for (let k = 0; k < shown; k++) {
      const value = values[name][from + k]
      if (isEvent(value) && k + shift >= 0)
        events.push({ k: k + shift, side: sideOfMark(shape, value), price: prices[from + k + shift] })
    }
    if (events.length > shown / 3) return []
    return paths(
      events,
      shape,
      ({ k, side, price }) => {
        const isAbove = shape.at === 'above' || (shape.at !== 'below' && side < 0)
        return `M${half(x(k))} ${isAbove ? `${half(y(price) - 4)}l-3 -5h6z` : `${half(y(price) + 4)}l-3 5h6z`}`
      },
      'fill',
    )
  })
}

/** The numbers above or below their candles, each with one digit. */
function drawCounts(shape, { values, from, market, y }) {
  return shape.outputs.map(name => {
    const counts = []
    for (let k = 0; k < shown; k++) {
      const number = Math.abs(values[name][from + k])
      if (number === 0 || number < (shape.from ?? 0)) continue
      const { high, low } = market.columns
      const height = shape.at === 'above' ? y(high[from + k]) - 2 : y(low[from + k]) + 7
      counts.push({ x: half(x(k) - 2), y: half(height), number })
    }
    const list = key => counts.map(count => count[key]).join(' ')
    return (
      counts.length > 0 &&
      `<text x="${list('x')}" y="${list('y')}" font-family="sans-serif" font-size="7" fill="${colourOf(shape)}">${counts.map(({ number }) => number).join('')}</text>`
    )
  })
}

function sideOfMark({ at, colour }, value) {
  if (colour === 'quiet') return 0
  return at === 'above' || (at === 'sign' && value > 0) || (at === undefined && value < 0) ? -1 : 1
}

/** The elements of a shape. */
function drawShape(shape, context) {
  switch (shape.kind) {
    case 'area':
    case 'cloud':
      return drawArea(shape, context)
    case 'candles':
      return drawCandles(shape, context)
    case 'zone':
      return drawZones(shape, context)
    case 'segments':
      return drawSegments(shape, context)
    case 'retracement':
      return drawRetracement(shape, context)
    case 'mark':
      return drawMarks(shape, context)
    case 'count':
      return drawCounts(shape, context)
    default:
      return (shape.price ? [''] : shape.outputs).flatMap(name => drawLine(shape, name, context))
  }
}

function drawLine(shape, name, context) {
  const points = pointsOf(shape, name, context)
  if (shape.kind === 'histogram') {
    const zero = half(context.y(0))
    return paths(
      points,
      shape,
      ({ k, y }) => `M${half(x(k))} ${zero}V${half(y)}`,
      'stroke',
      ' stroke-width="2"',
    )
  }
  const more = shape.kind === 'dots' ? ' stroke-width="2" stroke-linecap="round"' : ''
  return paths(points, shape, drawers[shape.kind], 'stroke', more)
}

/** Removes values far from the prices: an old level, or a price that was never near. */
function nearPrices(values, prices, from) {
  const close = prices.subarray(from, from + shown)
  const [low, high] = [Math.min(...close), Math.max(...close)]
  const reach = high - low
  // A price below 0 is drawn at its amount.
  const isFar = amount => amount > high + reach || amount < low - reach
  return values.map(value => (isFar(Math.abs(value)) ? Number.NaN : value))
}

/** The picture of an indicator. */
function draw(entry, market) {
  const shapes = drawingOf(entry)
  const all = valuesOf(entry, market)
  const from = startOf(shapes, all)
  const prices = market.columns.close
  const params = defaultsOf(entry)
  const namesIn = pane =>
    shapes
      .filter(shape => shape.pane === pane && !isMark(shape) && shape.kind !== 'retracement')
      .flatMap(({ outputs }) => outputs)
  const isApart = namesIn('own').some(name => all[name].subarray(from, from + shown).some(isDrawn))
  const over = Object.fromEntries(namesIn('price').map(name => [name, nearPrices(all[name], prices, from)]))
  const inset = shapes.some(isMark) ? 12 : margin
  const amounts = Object.entries(over).map(([, column]) => column.map(Math.abs))
  const y = scaleOf([prices, ...amounts], from, inset, (isApart ? split : height) - inset)
  const levels = isApart ? (entry.scale?.levels ?? []) : []
  const bars = shapes.some(({ kind, pane }) => kind === 'histogram' && pane === 'own') ? [0] : []
  const own = isApart
    ? scaleOf(
        namesIn('own').map(name => all[name]),
        from,
        split + margin,
        height - margin,
        [...levels, ...bars],
      )
    : y
  const across = levels.map(level => `M${margin} ${half(own(level))}H${width - margin}`).join('')
  const elements = shapes.flatMap(shape =>
    shape.pane === 'own' && !isApart
      ? []
      : drawShape(shape, {
          values: { ...all, ...over },
          prices,
          params,
          market,
          from,
          y: shape.pane === 'own' ? own : y,
        }),
  )
  const close = drawLine({ kind: 'line', price: 'close', outputs: [], colour: 'quiet' }, '', {
    values: all,
    prices,
    params,
    from,
    y,
  })
  const dashed = ` stroke="${priceColour}" stroke-width=".5" stroke-dasharray="2 2"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="none">
<title>${entry.name} over ${shown} candles of a demo market</title>
${close.join('')}
${[across && `<path d="${across}"${dashed}`, ...elements].filter(Boolean).join('\n')}
</svg>
`
}

/** The pictures of some indicators, by their names. */
export function drawPictures(entries) {
  const market = readMarket()
  return new Map(entries.map(entry => [entry.name, draw(entry, market)]))
}
