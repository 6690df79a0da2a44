import type { Candle } from '../model/rows.js'
import { type VolumeProfile, volumeProfile } from '../model/volume-profile.js'
import { type ChartColours, withOpacity, writeOn } from './colours.js'

/** The place of a profile in pixels. Its bars begin at `from` and reach at most to `to`. */
interface ProfilePlace {
  readonly from: number
  readonly to: number
  /** The coordinate of a price. */
  readonly y: (price: number) => number | null
  readonly priceText: (price: number) => string
}

/** Paints a volume profile. Returns the coordinate of its point of control. */
export function paintProfile(
  context: CanvasRenderingContext2D,
  { rows, control, area: [first, last] }: VolumeProfile,
  { from, to, y, priceText }: ProfilePlace,
  { up, down, text, background }: ChartColours,
): number | null {
  const most = rows[control] as VolumeProfile['rows'][number]
  const scale = (to - from) / (most.up + most.down)
  for (const [at, row] of rows.entries()) {
    const [top, bottom] = [y(row.high), y(row.low)]
    if (top === null || bottom === null) continue
    const opacity = at >= first && at <= last ? 0.45 : 0.2
    const height = Math.max(1, bottom - top - 1)
    const middle = from + row.up * scale
    context.fillStyle = withOpacity(up, opacity)
    context.fillRect(from, top, middle - from, height)
    context.fillStyle = withOpacity(down, opacity)
    context.fillRect(middle, top, row.down * scale, height)
  }
  const prices = [
    ['POC', (most.low + most.high) / 2],
    ['VAH', rows[last]?.high],
    ['VAL', rows[first]?.low],
  ] as const
  context.font = '10px system-ui, sans-serif'
  context.textAlign = from < to ? 'left' : 'right'
  context.textBaseline = 'bottom'
  for (const [name, price] of prices) {
    const place = price === undefined ? null : y(price)
    if (place === null || price === undefined) continue
    context.beginPath()
    context.setLineDash(name === 'POC' ? [] : [3, 3])
    context.lineWidth = 1
    context.strokeStyle = text
    context.moveTo(from, place)
    context.lineTo(to, place)
    context.stroke()
    const x = from + (from < to ? 4 : -4)
    writeOn(context, `${name}  ${priceText(price)}`, [x, place - 1], [text, background])
  }
  context.setLineDash([])
  return y((most.low + most.high) / 2)
}

/** The profiles that were painted last, because most pictures show the same candles. */
export class ProfileCache {
  readonly #known = new Map<string, VolumeProfile | undefined>()

  of(candles: readonly Candle[], from: number, to: number): VolumeProfile | undefined {
    const last = candles[Math.min(to, candles.length - 1)]
    const key = `${candles[from]?.timestamp} ${last?.timestamp} ${last?.volume}`
    if (!this.#known.has(key)) {
      if (this.#known.size >= 8) this.#known.clear()
      this.#known.set(key, volumeProfile(candles.slice(from, to + 1)))
    }
    return this.#known.get(key)
  }
}
