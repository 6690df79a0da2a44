import type { Page } from 'playwright-core'
import type { Parameters } from '../../../page/view/view.js'
import { openStage, pictures, sceneOf, show } from '../../support/drawing-stage.js'
import { demoColumns } from './demo-columns.js'
import type { Scene } from './stage.js'

/** The kinds of shapes and of their colouring, each with an indicator that uses it. */
export const examples: Readonly<Record<string, readonly [indicator: string, params?: Parameters]>> = {
  'line-in-two-colours': ['supertrend'],
  candles: ['heikinashi'],
  cloud: ['ichimoku', { displacement: 8 }],
  zone: ['fvg'],
  steps: ['priorswinghigh'],
  dots: ['psar'],
  'histogram-in-four-colours': ['macd'],
  'histogram-in-two-colours': ['ao'],
  area: ['bbands'],
  level: ['marketstructure'],
  'level-from-its-candle': ['bos', { swingLeft: 2, swingRight: 2 }],
  trendline: ['trendlines'],
  segments: ['zigzag', { deviation: 0.5 }],
  retracement: ['fibonacciretracement', { period: 40 }],
  mark: ['swings'],
  'mark-with-a-line': ['momdivergence'],
  count: ['thestrat'],
  'line-that-settles': ['rsi', { period: 26 }],
  ribbon: ['maribbon'],
}
/** Number of examples that are also drawn in the dark theme, which has other colours. */
const inTheDark = 4
const perRow = 6
const frame = { width: 240, height: 150, barSpacing: 5, hasAxes: false }

/** The volume of the market is another subject. */
const withoutVolume = (scene: Scene): Scene => ({
  ...scene,
  candles: scene.candles.map(candle => ({ ...candle, volume: 0 })),
})

/** Draws each example with its name, and again without the shapes of the indicator. */
export async function* drawExamples(
  page: Page,
): AsyncGenerator<{ readonly name: string; readonly picture: Buffer; readonly bare: Buffer }> {
  const columns = demoColumns(400)
  const all = Object.entries(examples).map(([name, [indicator, params]]) => ({
    name,
    scene: withoutVolume(sceneOf(indicator, columns, params)),
  }))
  await page.setViewportSize({ width: perRow * frame.width, height: 6 * frame.height })
  for (const [theme, part] of [
    ['light', all],
    ['dark', all.slice(0, inTheDark)],
  ] as const) {
    await openStage(page, theme)
    const bare = part.map(
      ({ scene }): Scene => ({ ...scene, description: { ...scene.description, drawing: [] } }),
    )
    await show(page, [...part.map(({ scene }) => scene), ...bare], frame)
    const drawn = await pictures(page)
    for (const [at, { name }] of part.entries())
      yield {
        name: theme === 'dark' ? `${name}-dark` : name,
        picture: drawn[at] as Buffer,
        bare: drawn[part.length + at] as Buffer,
      }
  }
}
