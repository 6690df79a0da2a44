import {
  createSeriesMarkers,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { ChartColours } from './colours.js'
import type { StudyDrawing } from './study-drawing.js'

/** Marks at candles: of studies, and of alerts that have fired. */
export class Markers {
  readonly #marks: ISeriesMarkersPluginApi<Time>
  readonly #firings: ISeriesMarkersPluginApi<Time>

  constructor(candles: ISeriesApi<'Candlestick'>) {
    this.#marks = createSeriesMarkers(candles, [])
    this.#firings = createSeriesMarkers(candles, [])
  }

  showMarks(studies: ReadonlyMap<string, StudyDrawing>, { up, down, neutral }: ChartColours): void {
    const markers: SeriesMarker<Time>[] = []
    for (const [id, drawing] of studies) {
      for (const mark of drawing.visibleMarks) {
        const { timestamp, side, isAbove, label, isCount } = mark
        const color = side > 0 ? up : side < 0 ? down : neutral
        markers.push({
          id: `${id}@${timestamp}`,
          time: timestamp as UTCTimestamp,
          position: isAbove ? 'aboveBar' : 'belowBar',
          shape: side === 0 || isCount ? 'circle' : isAbove ? 'arrowDown' : 'arrowUp',
          color,
          // A mark without a direction is a small dot, which the library does not have.
          size: side === 0 || isCount ? 0 : 1,
          ...(label || side === 0 ? { text: label || '•' } : {}),
        })
      }
    }
    this.#marks.setMarkers(markers.sort((a, b) => (a.time as number) - (b.time as number)))
  }

  /** Marks candles from the first one on at which alerts have fired. */
  showFirings(
    firings: readonly { readonly timestamp: number; readonly text: string }[],
    first: number,
    color: string,
  ): void {
    this.#firings.setMarkers(
      firings
        .filter(({ timestamp }) => timestamp >= first)
        .map(({ timestamp, text }) => ({
          time: timestamp as UTCTimestamp,
          position: 'aboveBar',
          shape: 'arrowDown',
          color,
          text,
        })),
    )
  }
}
