import type { CandleChart } from '../chart/candle-chart.js'
import type { Cursor } from '../chart/cursor.js'
import type { Store } from '../model/store.js'
import type { Level } from '../view/levels.js'

interface Parts {
  readonly host: HTMLElement
  readonly chart: CandleChart
  readonly cursor: Cursor
  readonly store: Store
}

/** So near a line, in pixels, the pointer takes it. */
const reach = 5

/** Moves the levels of a person with the pointer. */
export class LevelDrag {
  readonly #parts: Parts
  #held: Level | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    const { host } = parts
    // The library would move the chart: it listens to these events further inside.
    const take = (event: MouseEvent) => {
      this.#held = event.button === 0 ? this.at(...this.#place(event)) : undefined
      if (this.#held) event.stopPropagation()
    }
    host.addEventListener('mousedown', take, { capture: true })
    addEventListener('mousemove', event => this.#move(event))
    addEventListener('mouseup', () => {
      this.#held = undefined
    })
  }

  /** The level at a place of the chart in pixels. */
  at(x: number, y: number): Level | undefined {
    const { cursor, store } = this.#parts
    const [above, below] = [cursor.placeAt(x, y - reach), cursor.placeAt(x, y + reach)]
    if (above.study !== below.study || above.value === undefined || below.value === undefined)
      return undefined
    const [low, high] = [Math.min(above.value, below.value), Math.max(above.value, below.value)]
    return store.levels
      .of(store.market)
      .find(({ study, value }) => study === above.study && value >= low && value <= high)
  }

  #place({ clientX, clientY }: MouseEvent): [x: number, y: number] {
    const { left, top } = this.#parts.host.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }

  #move(event: MouseEvent): void {
    const { host, chart, cursor, store } = this.#parts
    const [x, y] = this.#place(event)
    if (this.#held === undefined) {
      if (host.contains(event.target as Node))
        host.classList.toggle('is-on-level', this.at(x, y) !== undefined)
      return
    }
    const { study, value } = cursor.placeAt(x, y)
    if (study !== this.#held.study || value === undefined) return
    const rounded = study === undefined ? Number(value.toFixed(chart.decimals)) : Number(value.toPrecision(4))
    store.levels.move(store.market, this.#held.id, rounded)
  }
}
