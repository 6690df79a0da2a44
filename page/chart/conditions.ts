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

  /** Shades the candles at which a condition is true. */
  set(id: string, rows: readonly StudyRow[]): void {
    const known = this.#shadings.get(id)
    const shading = known ?? new Shading()
    if (!known) {
      this.#shadings.set(id, shading)
      this.#series.attachPrimitive(shading)
      this.setColours(this.#palette)
    }
    shading.rows = rows
    this.draw()
  }

  remove(id: string): void {
    const shading = this.#shadings.get(id)
    if (shading) this.#series.detachPrimitive(shading)
    this.#shadings.delete(id)
  }

  /** The colours of the conditions are counted from the end, those of the other studies from the beginning. */
  setColours(palette: readonly string[]): void {
    this.#palette = palette
    for (const [at, shading] of [...this.#shadings.values()].entries())
      shading.colour = palette.at(-1 - (at % Math.max(1, palette.length))) ?? ''
  }

  colourOf(id: string): string | undefined {
    return this.#shadings.get(id)?.colour
  }

  /** A value as a person reads it. */
  text(value: Value): string {
    return value === null ? '–' : value === true ? 'true' : 'false'
  }

  /** The library draws when something of its own changes. */
  draw(): void {
    this.#series.applyOptions({})
  }
}
