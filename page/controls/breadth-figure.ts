import { sparkPath } from '../chart/spark-path.js'
import { BreadthLine, breadthRequest } from '../model/breadth-line.js'
import type { Streaming } from '../service/streaming.js'
import { h, helpLink, setText } from './dom.js'
import { shape, svg } from './icons.js'

const [width, height] = [600, 64]
let lastId = 0

/** The share of markets at which a screen's condition held over time, as a line that is followed while it is unfolded. */
export class BreadthFigure {
  readonly #streaming: Pick<Streaming, 'breadth'>
  readonly #path = shape('path', { d: '' })
  readonly #text = h('p')
  readonly element = h('details', { class: 'screen-breadth', attributes: { hidden: true } })
  #asked: { readonly screen: object; readonly where: string } | undefined

  constructor(streaming: Pick<Streaming, 'breadth'>) {
    this.#streaming = streaming
    const chart = svg(width, height, this.#path)
    chart.classList.add('breadth-line')
    chart.setAttribute('preserveAspectRatio', 'none')
    this.element.append(
      h('summary', { text: 'How many, by time' }),
      chart,
      h('div', { class: 'form-acts' }, this.#text, helpLink('What breadth is', '/breadth')),
    )
    this.element.addEventListener('toggle', () => this.#begin())
  }

  /** Shows the breadth of a screen, or of none. */
  show(asked: { readonly screen: object; readonly where: string } | undefined): void {
    this.#asked = asked
    this.element.hidden = asked === undefined
    this.#begin()
  }

  #begin(): void {
    const asked = this.element.open ? this.#asked : undefined
    this.#path.setAttribute('d', '')
    setText(this.#text, 'Waiting for the service …')
    if (!asked) {
      this.#streaming.breadth(undefined)
      return
    }
    const line = new BreadthLine()
    this.#streaming.breadth({
      id: `breadth${++lastId}`,
      request: breadthRequest(asked.screen, asked.where),
      onMessage: message => {
        line.receive(message)
        this.#path.setAttribute('d', sparkPath(line.shares, width, height, [0, 1]))
        if (message.type === 'error') setText(this.#text, message.error)
        else if (message.type !== 'breadth_pending')
          setText(this.#text, line.text ?? 'There is no value yet: the condition needs more candles.')
      },
    })
  }
}
