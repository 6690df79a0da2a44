import type { StudyRow } from '../model/rows.js'
import { Area } from './areas.js'
import { withOpacity } from './colours.js'

type Target = Parameters<Area['draw']>[0]

/** The candles at which a condition is true, shaded over the height of their pane. */
export class Shading extends Area {
  rows: readonly StudyRow[] = []
  /** Place of the colour in the palette; below 0 if none was chosen. */
  place = -1
  colour = ''

  draw(target: Target): void {
    const spacing = this.parts?.chart.timeScale().options().barSpacing ?? 1
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.fillStyle = withOpacity(this.colour, 0.16)
      let from: number | undefined
      let to = 0
      const fill = () => {
        if (from !== undefined) context.fillRect(from, 0, Math.max(1, to - from), mediaSize.height)
        from = undefined
      }
      // Neighbours are one rectangle, because two rectangles would overlap at their edges.
      for (const { timestamp, values } of this.visible(this.rows)) {
        const x = values[0] === true ? this.x(timestamp) : null
        if (x === null) fill()
        else {
          from ??= x - spacing / 2
          to = x + spacing / 2
        }
      }
      fill()
    })
  }
}
