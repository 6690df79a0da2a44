import { CandleChart } from '../../../page/chart/candle-chart.js'
import { Legend } from '../../../page/controls/legend.js'
import type { Description } from '../../../page/model/catalogue.js'
import type { Picture } from '../../../page/model/picture.js'
import type { Candle, StudyRow } from '../../../page/model/rows.js'
import { loadingStudy } from '../../../page/model/study-data.js'
import type { Parameters, View } from '../../../page/view/view.js'

/** An indicator over some candles, as one picture of the stage shows it. */
export interface Scene {
  readonly description: Description
  readonly params: Parameters
  readonly rows: readonly StudyRow[]
  readonly candles: readonly Candle[]
  readonly settledFrom: number | undefined
}

/** Size of a picture, and the parts around its panes. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** Width of a candle in pixels. */
  readonly barSpacing: number
  /** Whether the picture has axes and a heading, as on the page. */
  readonly hasAxes: boolean
}

/** Draws the scenes next to each other, with the chart and the headings of the page. */
async function showScenes(scenes: readonly Scene[], frame: Frame): Promise<void> {
  document.body.replaceChildren(...scenes.map(scene => picture(scene, frame)))
  for (let k = 0; k < 3; k++) await new Promise(resolve => setTimeout(resolve, 50))
}

function picture({ description, params, rows, candles, settledFrom }: Scene, frame: Frame): HTMLElement {
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
  chart.setStudy(study, description, rows, settledFrom)
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
  const data = { ...loadingStudy(study, [...rows]), isLoading: false }
  const legend = new Legend({
    host: legends,
    chart,
    picture: { candles, studies: new Map([[study.id, data]]) } as unknown as Picture,
    describe: () => description,
    onEdit: () => {},
    onHide: () => {},
    onRemove: () => {},
    compared: { render: () => [], show: () => {} },
    layout: () => undefined,
  } as unknown as ConstructorParameters<typeof Legend>[0])
  const market = { exchange: 'demo', symbol: description.id, timeframe: '1h' } as const
  legend.render({ market, studies: [study] } satisfies View)
  return element
}

/** Distance of a colour channel, from 0 to 255, above which two pixels differ clearly. */
const clearly = 48

/** Canvas with a picture, given as PNG in base64, or with the part of it that begins at a point. */
async function canvasOf(png: string, part?: { x: number; y: number; width: number; height: number }) {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const { x = 0, y = 0, width = image.width, height = image.height } = part ?? {}
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.drawImage(image, -x, -y)
  return { canvas, pixels: context.getImageData(0, 0, width, height) }
}

/** The scenes of a picture of the whole stage, each as PNG in base64. */
async function cut(png: string): Promise<readonly string[]> {
  const parts = [...document.querySelectorAll('.scene')].map(element => element.getBoundingClientRect())
  const cuts = parts.map(async ({ x, y, width, height }) => {
    const { canvas } = await canvasOf(png, { x, y, width, height })
    return canvas.toDataURL().replace('data:image/png;base64,', '')
  })
  return Promise.all(cuts)
}

/** Share of the pixels of two pictures that differ clearly; 1 if the sizes differ. */
async function differenceOf(one: string, other: string): Promise<number> {
  const [{ pixels: first }, { pixels: second }] = await Promise.all([canvasOf(one), canvasOf(other)])
  if (first.width !== second.width || first.height !== second.height) return 1
  let differing = 0
  for (let at = 0; at < first.data.length; at += 4) {
    const isOther = [0, 1, 2].some(
      part => Math.abs((first.data[at + part] ?? 0) - (second.data[at + part] ?? 0)) > clearly,
    )
    if (isOther) differing++
  }
  return (4 * differing) / first.data.length
}

const stage = { showScenes, cut, differenceOf }
export type Stage = typeof stage
Object.assign(window, { stage })
