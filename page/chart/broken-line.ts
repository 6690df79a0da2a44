import type {
  CustomData,
  CustomSeriesOptions,
  CustomSeriesWhitespaceData,
  ICustomSeriesPaneRenderer,
  ICustomSeriesPaneView,
  PaneRendererCustomData,
  PriceToCoordinateConverter,
  Time,
} from 'lightweight-charts'
import { customSeriesDefaultOptions } from 'lightweight-charts'

/** What the renderers of lightweight-charts draw on. */
export type DrawingTarget = Parameters<ICustomSeriesPaneRenderer['draw']>[0]

export interface BrokenPoint extends CustomData<Time> {
  readonly value: number
}

interface BrokenLineOptions extends CustomSeriesOptions {
  /** Whether each value is a horizontal line of its own, which ends where the value changes. */
  isLevel: boolean
  lineWidth: number
  dash: readonly number[]
}

/** A line with gaps where there is no value; the library's own line series joins the points across them. */
export class BrokenLine implements ICustomSeriesPaneView<Time, BrokenPoint, BrokenLineOptions> {
  #data: PaneRendererCustomData<Time, BrokenPoint> | undefined
  #options: BrokenLineOptions | undefined

  renderer(): ICustomSeriesPaneRenderer {
    return { draw: (target, toY) => this.#draw(target, toY) }
  }

  update(data: PaneRendererCustomData<Time, BrokenPoint>, options: BrokenLineOptions): void {
    this.#data = data
    this.#options = options
  }

  priceValueBuilder({ value }: BrokenPoint): [number] {
    return [value]
  }

  isWhitespace(
    data: BrokenPoint | CustomSeriesWhitespaceData<Time>,
  ): data is CustomSeriesWhitespaceData<Time> {
    return !('value' in data)
  }

  defaultOptions(): BrokenLineOptions {
    return { ...customSeriesDefaultOptions, isLevel: false, lineWidth: 1.5, dash: [] }
  }

  #draw(target: DrawingTarget, toY: PriceToCoordinateConverter): void {
    const { bars, visibleRange, barSpacing } = this.#data ?? {}
    if (!bars || !visibleRange || !this.#options || barSpacing === undefined) return
    const { isLevel, lineWidth, dash, color } = this.#options
    const half = barSpacing / 2
    target.useMediaCoordinateSpace(({ context }) => {
      context.strokeStyle = color
      context.lineWidth = lineWidth
      context.lineJoin = 'round'
      context.setLineDash([...dash])
      context.beginPath()
      const last = Math.min(bars.length, visibleRange.to + 1)
      for (let at = Math.max(0, visibleRange.from - 1); at < last; at++) {
        const bar = bars[at]
        const before = bars[at - 1]
        const y = bar && toY(bar.originalData.value)
        if (!bar || y === null || y === undefined) continue
        const isJoined = before !== undefined && bar.time - before.time === 1
        const isSame = isJoined && before.originalData.value === bar.originalData.value
        if (isLevel) {
          if (!isSame) context.moveTo(bar.x - half, y)
          context.lineTo(bar.x + half, y)
        } else if (isJoined && at > visibleRange.from - 1) context.lineTo(bar.x, y)
        else context.moveTo(bar.x, y)
      }
      context.stroke()
    })
  }
}
