import { catalogue } from '../../../src/catalogue/index.js'
import { launchBrowser, openTab } from '../../support/browser.js'
import { openStage, sceneOf, show } from '../../support/drawing-stage.js'
import { demoColumns } from './demo-columns.js'
import type { Scene } from './stage.js'

const perSheet = { columns: 4, rows: 4 }
const frame = { width: 392, height: 250, barSpacing: 4, hasAxes: true }
const candleCount = 1500
/**
 * Number of candles searched for an event if `candleCount` candles have none. Some patterns occur once in 10,000
 * candles.
 */
const longCount = 40_000
/** Number of candles in a picture, and number of candles after the newest event if this event is older than them. */
const shown = 80
const behind = 15

const isShown = (value: unknown) => typeof value === 'number' && value !== 0
const lastEvent = (scene: Scene) => scene.rows.findLastIndex(({ values }) => values.some(isShown))

/** A scene that ends soon after its newest event, if its last candles have nothing to show. */
function moved(scene: Scene): Scene {
  const last = lastEvent(scene)
  if (last < 0 || last > scene.rows.length - shown) return trimmed(scene, scene.candles.length)
  const end = scene.rows[last]?.timestamp
  return trimmed(scene, scene.candles.findIndex(({ timestamp }) => timestamp === end) + behind)
}

/** The newest rows up to a candle. */
function trimmed(scene: Scene, end: number): Scene {
  const candles = scene.candles.slice(Math.max(0, end - 400), end)
  const [first, last] = [candles[0]?.timestamp ?? 0, candles.at(-1)?.timestamp ?? 0]
  const rows = scene.rows.filter(({ timestamp }) => timestamp >= first && timestamp <= last)
  return { ...scene, candles, rows }
}

/** Pictures of many indicators each, in the order of the catalogue or of `names`. */
export async function* drawSheets(
  theme: 'light' | 'dark',
  names: readonly string[],
): AsyncGenerator<{ readonly name: string; readonly picture: Buffer }> {
  const columns = demoColumns(candleCount)
  let long: typeof columns | undefined
  const sceneWithEvent = (name: string): Scene => {
    const scene = sceneOf(name, columns)
    if (lastEvent(scene) >= 0) return scene
    long ??= demoColumns(longCount)
    return sceneOf(name, long)
  }
  const wanted = names.length > 0 ? names : [...catalogue.keys()]
  const size = perSheet.columns * perSheet.rows
  const browser = await launchBrowser()
  try {
    const { page, errors } = await openTab(browser, {
      width: perSheet.columns * frame.width,
      height: perSheet.rows * frame.height,
    })
    await openStage(page, theme)
    for (let from = 0; from < wanted.length; from += size) {
      const part = wanted.slice(from, from + size)
      await show(
        page,
        part.map(name => moved(sceneWithEvent(name))),
        frame,
      )
      const name = `${String(from / size + 1).padStart(2, '0')}-${part[0]}.png`
      yield { name, picture: await page.screenshot() }
    }
    if (errors.length > 0) throw new Error(errors.join('\n'))
  } finally {
    await browser.close()
  }
}
