import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { readResult } from '../../page/model/catalogue.js'
import { noteSettling, type StudyData } from '../../page/model/study-data.js'
import type { Parameters } from '../../page/view/view.js'
import type { Candle } from '../../src/candles/candle.js'
import { describe } from '../../src/catalogue/description.js'
import { answer, settlingOf } from '../../src/compute/answer.js'
import type { Frame, Scene, Stage } from '../page/stage/stage.js'
import { calculator, entryOf, type PlainColumns, snapshotOf, valuesOf } from './kernel.js'

declare const window: { readonly stage: Stage }

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The chart of the page and the stage as one script. */
async function bundle(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: fileOf('test/page/stage/stage.ts'), formats: ['es'] },
    },
  })) as Rolldown.RolldownOutput[]
  return output[0]?.output[0].code ?? ''
}
let bundled: Promise<string> | undefined

/** Prepares an empty tab for `show`: with the chart and the style sheets of the page. */
export async function openStage(page: Page, theme: 'light' | 'dark'): Promise<void> {
  bundled ??= bundle()
  const sheets = ['tokens', 'layout', 'controls', 'chart'].map(name =>
    readFileSync(fileOf(`page/style/${name}.css`), 'utf8'),
  )
  await page.setContent(`<!doctype html><html data-theme="${theme}"><body></body></html>`)
  await page.addStyleTag({
    content: `${sheets.join('\n')}
html, body { height: auto; overflow: visible; }
body { display: flex; flex-wrap: wrap; align-content: flex-start; background: var(--chart); }
.scene { position: relative; overflow: hidden; box-shadow: inset -1px -1px var(--border); }
.scene .legend-market > :not(strong) { display: none; }
.scene .legend { padding: 2px 4px; }
.scene .legend-row { min-height: 16px; line-height: 16px; font-size: 11px; }`,
  })
  await page.addScriptTag({ type: 'module', content: await bundled })
  await page.waitForFunction(() => 'stage' in window)
}

/** An indicator over candles, computed by the kernels. */
export function sceneOf(name: string, columns: PlainColumns, params: Parameters = {}): Scene {
  const entry = entryOf(name)
  const description = describe(entry)
  const snapshot = snapshotOf(columns)
  const query = { indicator: entry, ...valuesOf(entry, params), results: snapshot.count, backtrack: 0 }
  const text = answer(calculator, query, [snapshot])
  const rows = typeof text === 'string' ? readResult(description, JSON.parse(text)) : []
  const candles = columns.timestamp.map((timestamp, at) => {
    const of = (column: keyof Candle) => columns[column][at] as number
    return {
      timestamp,
      open: of('open'),
      high: of('high'),
      low: of('low'),
      close: of('close'),
      volume: of('volume'),
    }
  })
  const data: Pick<StudyData, 'settledFrom'> = { settledFrom: undefined }
  noteSettling(data, description, settlingOf(query, snapshot).from, true)
  return { description, params, rows, candles, ...data }
}

/** Draws scenes next to each other. */
export const show = (page: Page, scenes: readonly Scene[], frame: Frame): Promise<void> =>
  page.evaluate(([all, size]) => window.stage.showScenes(all, size), [scenes, frame] as const)

/** A picture of each scene on the stage, as PNG. */
export async function pictures(page: Page): Promise<readonly Buffer[]> {
  const whole = (await page.screenshot({ fullPage: true })).toString('base64')
  const parts = await page.evaluate(png => window.stage.cut(png), whole)
  return parts.map(part => Buffer.from(part, 'base64'))
}

/** Share of pixels that differ clearly between two pictures, as PNG. */
export const difference = (page: Page, one: Buffer, other: Buffer): Promise<number> =>
  page.evaluate(([first, second]) => window.stage.differenceOf(first, second), [
    one.toString('base64'),
    other.toString('base64'),
  ] as const)
