import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Drawing, type DrawingKind, drawingPoints } from '../../page/view/drawings.js'
import { accessibilityFaults, hasBrowser, launchBrowser, openTab } from '../support/browser.js'
import { needs } from '../support/needs.js'
import { startTestService, type TestService } from '../support/test-service.js'

let service: TestService
let browser: Browser

const labels: Readonly<Record<DrawingKind, string>> = {
  level: 'Level (horizontal line)',
  vertical: 'Vertical line',
  trend: 'Trend line',
  ray: 'Ray',
  channel: 'Parallel channel',
  rectangle: 'Rectangle',
  fibonacci: 'Fibonacci retracement',
  measure: 'Measure',
  text: 'Text',
  profile: 'Volume profile, fixed range',
  visible: 'Volume profile, visible range',
}

const kinds = Object.keys(drawingPoints) as DrawingKind[]
/** One kind for each number of points, and a text. */
const fewKinds: readonly DrawingKind[] = ['level', 'trend', 'channel', 'text', 'visible']
const places = [
  [500, 300],
  [640, 400],
  [560, 500],
] as const

async function open(symbol = 'BTCUSDT', options: Parameters<typeof openTab>[1] = {}) {
  const tab = await openTab(browser, options)
  await tab.page.goto(`${service.url}/?exchange=demo&symbol=${symbol}&timeframe=1h&indicator=#key=many`)
  await tab.page.locator('.badge[data-kind="live"]').waitFor()
  return tab
}

const drawn = (page: Page, symbol = 'BTCUSDT'): Promise<readonly Drawing[]> =>
  page.evaluate(
    place => JSON.parse(localStorage.getItem('candela.drawings') ?? '{}')[place] ?? [],
    `|demo:${symbol}`,
  )
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Drawing tools' }).getByRole('button', { name, exact: true })
const typeText = async (page: Page, kind: DrawingKind) => {
  if (kind !== 'text') return
  await page.keyboard.type('Here')
  await page.keyboard.press('Enter')
}
/** Part of the chart without headings and messages. */
const clip = { x: 100, y: 180, width: 840, height: 240 }
/** Picture of that part, once it has come to rest. */
const picture = async (page: Page) => {
  let before = ''
  const read = async () => {
    const shown = (await page.screenshot({ clip })).toString('base64')
    const isAtRest = shown === before
    before = shown
    return isAtRest
  }
  await expect.poll(read, { interval: 50 }).toBe(true)
  return before
}

describe.skipIf(!hasBrowser)('the drawing tools', { timeout: 90_000, ...needs('chromium') }, () => {
  beforeAll(async () => {
    service = await startTestService()
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const actByPointer = async (tried: readonly DrawingKind[]) => {
    // So high that messages about what was removed cover nothing.
    const tab = await open('BTCUSDT', { height: 900 })
    const { page } = tab
    for (const kind of tried) {
      const empty = await picture(page)
      await tool(page, labels[kind]).click()
      for (const [x, y] of places.slice(0, drawingPoints[kind])) await page.mouse.click(x, y)
      await typeText(page, kind)
      await expect.poll(() => drawn(page)).toHaveLength(1)
      const [drawing] = (await drawn(page)) as [Drawing]
      expect([drawing.kind, drawing.points.length], kind).toEqual([kind, drawingPoints[kind]])
      await page.mouse.move(900, 700)
      expect((await picture(page)) === empty, `${kind} is seen`).toBe(false)
      // A text is at the right of its point.
      const [x, y] = [places[0][0] + (kind === 'text' ? 12 : 0), places[0][1]]
      if (drawingPoints[kind] > 0) {
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x + 60, y + 40, { steps: 2 })
        await page.mouse.up()
        const [moved] = (await drawn(page)) as [Drawing]
        expect(moved.points[0], `${kind} is moved`).not.toEqual(drawing.points[0])
        await page.keyboard.press('Control+z')
        expect(await drawn(page), `${kind} is where it was`).toEqual([drawing])
        // The chart finds the drawing under the pointer with its next picture.
        const isUnder = async () => {
          await page.mouse.move(x + 20, y + 20)
          await page.mouse.move(x, y)
          return page.locator('.chart.is-on-drawing').count()
        }
        await expect.poll(isUnder).toBe(1)
        await page.mouse.click(x, y)
      }
      await page.keyboard.press('Delete')
      expect(await drawn(page), `${kind} is removed`).toEqual([])
    }
    await page.keyboard.press('z')
    expect((await drawn(page)).map(({ kind }) => kind)).toEqual([tried.at(-1)])
    expect(tab.errors).toEqual([])
  }
  it('draw, move and remove by the pointer, and take each step back', () => actByPointer(fewKinds))
  it('do so for every other kind', { tags: ['browser'] }, () =>
    actByPointer(kinds.filter(kind => !fewKinds.includes(kind))),
  )

  const drawByKeyboard = async (tried: readonly DrawingKind[]) => {
    const { page } = await open()
    await tool(page, labels.level).focus()
    for (const kind of tried) {
      for (let n = 0; n < kinds.length; n++) {
        if (await tool(page, labels[kind]).evaluate(each => each === document.activeElement)) break
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('Enter')
      for (let n = 0; n < drawingPoints[kind]; n++) {
        for (const key of ['Shift+ArrowLeft', 'Shift+ArrowUp']) await page.keyboard.press(key)
        await page.keyboard.press('Enter')
      }
      await typeText(page, kind)
      await tool(page, labels[kind]).focus()
    }
    const all = await drawn(page)
    expect(all.map(({ kind }) => kind)).toEqual(tried)
    await page.reload()
    await page.locator('.badge[data-kind="live"]').waitFor()
    expect(await drawn(page)).toEqual(all)
    await page.goto(`${service.url}/?exchange=demo&symbol=ETHUSDT&timeframe=1h&indicator=`)
    await page.locator('.badge[data-kind="live"]').waitFor()
    expect(await drawn(page, 'ETHUSDT')).toEqual([])
  }
  it('draw by keyboard alone, and what is drawn is there again, at its market only', () =>
    drawByKeyboard(fewKinds))
  it('do so by keyboard for every other kind', { tags: ['browser'] }, () =>
    drawByKeyboard(kinds.filter(kind => !fewKinds.includes(kind))),
  )

  it('draw by touch, and from the menu of a phone', async () => {
    const { page } = await open('BTCUSDT', { touch: true })
    await tool(page, labels.fibonacci).tap()
    for (const [x, y] of places.slice(0, 2)) await page.touchscreen.tap(x, y)
    expect((await drawn(page)).map(({ kind }) => kind)).toEqual(['fibonacci'])
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Tools', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Rectangle' }).tap()
    await page.touchscreen.tap(100, 300)
    await page.touchscreen.tap(200, 400)
    expect((await drawn(page)).map(({ kind }) => kind)).toEqual(['fibonacci', 'rectangle'])
  })

  describe('on an empty chart', () => {
    let tab: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      tab = await open()
    })

    it('are found where indicators are searched, and end with Escape or a second click', async () => {
      const { page } = tab
      await page.keyboard.press('/')
      await page.keyboard.type('volume profile')
      await page.getByRole('option', { name: labels.visible }).waitFor()
      await page.getByRole('option', { name: labels.profile }).click()
      expect(await tool(page, labels.profile).getAttribute('aria-pressed')).toBe('true')
      await page.keyboard.press('Escape')
      expect(await tool(page, labels.profile).getAttribute('aria-pressed')).toBe('false')
      await tool(page, labels.ray).click()
      await tool(page, labels.ray).click()
      await page.mouse.click(500, 300)
      expect(await drawn(page)).toEqual([])
      expect(await accessibilityFaults(page)).toEqual([])
    })

    it('snap to a price of the candle while the magnet is on', async () => {
      const { page } = tab
      const candles = (await service.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=1')) as [
        { open: number; high: number; low: number; close: number },
      ]
      const [{ open: first, high, low, close }] = candles
      const levelAtCrosshair = async () => {
        await tool(page, labels.level).click()
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('Enter')
        return (await drawn(page)).at(-1)?.points[0]?.value
      }
      expect([first, high, low, close]).toContain(await levelAtCrosshair())
      await tool(page, 'Magnet: points snap to prices of candles').click()
      expect([first, high, low, close]).not.toContain(await levelAtCrosshair())
    })
  })
})
