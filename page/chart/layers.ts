import type { ISeriesApi, SeriesType } from 'lightweight-charts'
import { AreaLayer, StrokeLayer, ZoneLayer } from './behind-layers.js'
import type { Canvas, Layer } from './layer.js'
import { BarLayer, CandleLayer, LineLayer } from './series-layers.js'
import type { Shape } from './shape.js'

/** The palest line of a ribbon. */
const palest = 0.35

/** The layers of a shape. Areas lie behind `base`, the first series of their pane. */
export function layersOf(
  shape: Shape,
  canvas: Canvas,
  id: string,
  base: (shape: Shape) => ISeriesApi<SeriesType>,
): readonly Layer[] {
  const { outputs, kind } = shape
  switch (kind) {
    case 'histogram':
      return outputs.map(output => new BarLayer(shape, canvas, output))
    case 'candles':
      return [new CandleLayer(shape, canvas)]
    case 'area':
    case 'cloud':
      return [new AreaLayer(shape, canvas, base(shape))]
    case 'zone':
      return [new ZoneLayer(shape, canvas, id)]
    case 'segments':
    case 'retracement':
      return [new StrokeLayer(shape, canvas)]
    case 'mark':
    case 'count':
      return shape.span === undefined ? [] : [new StrokeLayer(shape, canvas)]
    default: {
      if (shape.fromPrice) return [new StrokeLayer(shape, canvas)]
      const isRibbon = kind === 'line' && outputs.length > 2
      const fade = (at: number) => 1 - ((1 - palest) * at) / (outputs.length - 1)
      const lines = outputs.length > 0 ? outputs : ['']
      return lines.map((output, at) => new LineLayer(shape, canvas, output, isRibbon ? fade(at) : 1))
    }
  }
}
