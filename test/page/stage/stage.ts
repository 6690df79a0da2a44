import { CandleChart } from '../../../page/chart/candle-chart.js'
import { Legend } from '../../../page/controls/legend.js'
import type { Description } from '../../../page/model/catalogue.js'
import type { Picture } from '../../../page/model/picture.js'
import type { Candle, StudyRow } from '../../../page/model/rows.js'
import type { Parameters, View } from '../../../page/view/view.js'

/** An indicator over some candles, as one picture of the stage shows it. */
export interface Scene {
  readonly description: Description
  readonly params: Parameters
  readonly rows: readonly StudyRow[]
  readonly candles: readonly Candle[]
}

/** How large a picture is, and what surrounds its panes. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** Width of a candle in pixels. */
  readonly barSpacing: number
  /** Whether it has axes and a heading, as on the page. */
  readonly hasAxes: boolean
}

/** Draws each scene with the chart and the headings of the page, one beside the other. */
async function showScenes(scenes: readonly Scene[], frame: Frame): Promise<void> {
  document.body.replaceChildren(...scenes.map(scene => picture(scene, frame)))
  for (let k = 0; k < 3; k++) await new Promise(resolve => setTimeout(resolve, 50))
}

function picture({ description, params, rows, candles }: Scene, frame: Frame): HTMLElement {
  const element = document.createElement('div')
  element.className = 'scene'
  element.style.width = `${frame.width}px`
  element.style.height = `${frame.height}px`
  const [host, legends] = [document.createElement('div'), document.createElement('div')]
  host.className = 'chart'
  legends.className = 'legends'
  element.append(host, legends)
  document.body.append(element)
  const chart = new CandleChart({ host, onPointed: () => {}, onOldest: () => {}, onMoved: () => {} })
  chart.setCandles(candles, true, true)
  const study = { id: description.id, indicator: description.id, params, isHidden: false }
  chart.setStudy(study, description, rows)
  chart.api.timeScale().applyOptions({ barSpacing: frame.barSpacing })
  for (const pane of chart.api.panes().slice(1)) pane.setStretchFactor(4)
  if (!frame.hasAxes) {
    chart.api.applyOptions({
      rightPriceScale: { visible: false },
      timeScale: { visible: false },
      grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    })
    return element
  }
  const data = { study, rows: [...rows], error: undefined, notLive: undefined, isLoading: false, early: [] }
  const legend = new Legend({
    host: legends,
    chart,
    picture: { candles, studies: new Map([[study.id, data]]) } as unknown as Picture,
    describe: () => description,
    onEdit: () => {},
    onHide: () => {},
    onRemove: () => {},
  } as unknown as ConstructorParameters<typeof Legend>[0])
  const market = { exchange: 'demo', symbol: description.id, timeframe: '1h' } as const
  legend.render({ market, studies: [study] } satisfies View)
  return element
}

/** How many pixels of two pictures differ clearly, as a share of them. */
async function differenceOf(one: string, other: string): Promise<number> {
  const [first, second] = await Promise.all([one, other].map(pixelsOf))
  if (!first || !second || first.length !== second.length) return 1
  let differing = 0
  for (let at = 0; at < first.length; at += 4) {
    const distance = Math.max(
      ...[0, 1, 2].map(part => Math.abs((first[at + part] ?? 0) - (second[at + part] ?? 0))),
    )
    if (distance > 48) differing++
  }
  return (4 * differing) / first.length
}

async function pixelsOf(png: string): Promise<Uint8ClampedArray> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height).data
}

const stage = { showScenes, differenceOf }
export type Stage = typeof stage
Object.assign(window, { stage })
