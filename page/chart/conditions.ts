import type { ISeriesApi } from 'lightweight-charts'
import type { StudyRow, Value } from '../model/rows.js'
import { Shading } from './shading.js'

/** The conditions that are plotted, by the ids of their studies. */
export class Conditions {
  readonly #series: ISeriesApi<'Candlestick'>
  readonly #shadings = new Map<string, Shading>()
  #palette: readonly string[] = []

  constructor(series: ISeriesApi<'Candlestick'>) {
    this.#series = series
  }

  has(id: string): boolean {
    return this.#shadings.has(id)
  }

  /**
   * Shades the candles at which a condition is true, in the colour at a place of the palette; below 0 in a colour of the
   * condition's own.
   */
  set(id: string, rows: readonly StudyRow[], place = -1): void {
    let shading = this.#shadings.get(id)
    if (!shading) {
      shading = new Shading()
      this.#shadings.set(id, shading)
      this.#series.attachPrimitive(shading)
    }
    shading.rows = rows
    shading.place = place
    this.setColours(this.#palette)
    this.draw()
  }

  remove(id: string): void {
    const shading = this.#shadings.get(id)
    if (shading) this.#series.detachPrimitive(shading)
    this.#shadings.delete(id)
  }

  /** Default colours are counted from the end of the palette, those of other studies from its beginning. */
  setColours(palette: readonly string[]): void {
    this.#palette = palette
    for (const [at, shading] of [...this.#shadings.values()].entries())
      shading.colour =
        palette.at(shading.place < 0 ? -1 - (at % Math.max(1, palette.length)) : shading.place) ?? ''
  }

  colourOf(id: string): string | undefined {
    return this.#shadings.get(id)?.colour
  }

  /** A value as text for people. */
  text(value: Value): string {
    return value === null ? '–' : value === true ? 'true' : 'false'
  }

  /** Makes the library draw, which it does after a change of options. */
  draw(): void {
    this.#series.applyOptions({})
  }
}
