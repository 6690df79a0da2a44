import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import {
  accessibilityFaults,
  hasBrowser,
  launchBrowser,
  openTab,
  type Page,
  pictureFolder,
  takePictures,
} from '../support/browser.js'
import { needs } from '../support/needs.js'
import { pageFiles, type ServiceProxy, startProxy } from '../support/proxy.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

const empty = '?exchange=demo&symbol=BTCUSDT&timeframe=1m&indicator='
const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1m'

const demo = createDemoSource(() => midnight)
/** An exchange whose candles come when a test lets them, and one of whose markets has none. */
const slow = {
  letThrough: () => {},
  symbols: () => ['BTCUSDT', 'ETHUSDT', 'GONEUSDT'],
  async candles(symbol, timeframe, count) {
    await isLetThrough
    if (symbol === 'GONEUSDT') throw new SourceFailure('unknown-symbol', 'there is none')
    return demo.candles(symbol, timeframe, count)
  },
} satisfies Source & { letThrough: () => void }
const isLetThrough = new Promise<void>(resolve => {
  slow.letThrough = resolve
})

/** Number of candles at an exchange that has just opened. */
const youngCount = 600
const young: Source = {
  symbols: () => ['NEWUSDT'],
  candles: (_, timeframe, count) => demo.candles('BTCUSDT', timeframe, Math.min(count, youngCount)),
}

interface Timed {
  readonly timestamp: number
}

let service: TestService
let server: ServiceProxy
let browser: Browser

const badge = (page: Page, kind: string) => page.locator(`.badge[data-kind="${kind}"]`).waitFor()
const legend = (page: Page, id: string) => page.locator(`[data-study="${id}"]`)
/** The first value of an indicator in its heading. */
const shownValue = async (page: Page, id: string) =>
  Number((await legend(page, id).locator('.number').first().textContent())?.replaceAll(',', ''))

/** The newest value that the service gives. */
async function newest(indicator: string, field = 'value'): Promise<number> {
  const reply = await service.get(`/indicator/${indicator}${indicator.includes('?') ? '&' : '?'}${market}`)
  return Number((reply as Record<string, number[]>)[field]?.at(-1))
}

/** A price as the heading of the chart has it. */
const priceText = (price = Number.NaN) =>
  price.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Lets the time pass to the next minute. Returns the candle of that minute once the service has it from its feed. */
async function passMinute(symbol: string): Promise<{ readonly close: number }> {
  const newestCandle = async () => {
    const path = `/candles?exchange=demo&symbol=${symbol}&timeframe=1m`
    const [candle] = (await service.get(path)) as [{ readonly timestamp: number; readonly close: number }]
    return candle
  }
  const before = await newestCandle()
  service.pass(61)
  return until(newestCandle, ({ timestamp }) => timestamp > before.timestamp)
}

async function addIndicator(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.insertText(text)
  // The catalogue may not have arrived yet.
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
}

/** Removes the only indicator. */
async function removeStudy(page: Page): Promise<void> {
  await page
    .locator('[data-study]')
    .getByRole('button', { name: /^Remove/ })
    .focus()
  await page.keyboard.press('Enter')
}

/** Waits until a reading of the page has the wanted value. */
async function until<Value>(read: () => Promise<Value>, isWanted: (value: Value) => boolean): Promise<Value> {
  return expect.poll(read, { timeout: 20_000, interval: 100 }).toSatisfy(isWanted).then(read)
}

/** The first minute after some hours at whose candle the RSI of BTCUSDT falls below 30, by the clock of the demo. */
async function nextDip(): Promise<number> {
  const candles = createDemoSource(() => midnight + 500 * 60).candles('BTCUSDT', '1m', 500)
  const reply = await fetch(`${service.url}/indicator/rsi`, {
    method: 'POST',
    headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
    body: JSON.stringify({ candles: await candles, results: 'max' }),
  })
  const { value, timestamp } = (await reply.json()) as { value: number[]; timestamp: number[] }
  const isDip = (now: number, at: number) => at > 250 && now < 29.9 && (value[at - 1] as number) > 30.1
  return timestamp[value.findIndex(isDip)] as number
}

/** Number of levels in the pane of a study: rows of pixels that have the colour of a level from end to end. */
async function levelLines(page: Page, id: string): Promise<number> {
  const { y = 0 } = (await legend(page, id).boundingBox()) ?? {}
  const box = await page.evaluate(top => {
    const canvases = [...document.querySelectorAll('.chart canvas')].map(each => each.getBoundingClientRect())
    const pane = canvases.find(each => each.width > 600 && each.top <= top && each.bottom > top) as DOMRect
    return { x: pane.x + 20, y: pane.y + 2, width: 500, height: pane.height - 4 }
  }, y)
  const png = (await page.screenshot({ clip: box })).toString('base64')
  return page.evaluate(async text => {
    const image = new Image()
    image.src = `data:image/png;base64,${text}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    // Crosshair and levels: #97a0ac.
    const isLevel = (at: number) =>
      Math.abs((data[at] ?? 0) - 0x97) + Math.abs((data[at + 2] ?? 0) - 0xac) < 8
    return Array.from({ length: image.height }, (_, y) => y).filter(
      y =>
        Array.from({ length: image.width }, (_, x) => x).filter(x => isLevel((y * image.width + x) * 4))
          .length > 150,
    ).length
  }, png)
}

/** Number of pixels in the colour of the texts of axes: dark, and neither blue nor orange. */
const textPixels = (page: Page, png: string) =>
  page.evaluate(async text => {
    const image = new Image()
    image.src = `data:image/png;base64,${text}`
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext(
      '2d',
    ) as OffscreenCanvasRenderingContext2D
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    const isText = (at: number) => {
      const [red = 0, green = 0, blue = 0] = data.slice(at, at + 3)
      return red < 150 && Math.abs(red - green) < 30 && Math.abs(green - blue) < 30
    }
    return Array.from({ length: data.length / 4 }, (_, at) => 4 * at).filter(isText).length
  }, png)

/** The texts of all headings, but how old the candles are by the clock of the browser, which is shown a second later. */
const headings = async (page: Page) =>
  (await page.locator('.legends').innerText()).replace(/last candle \d+ days ago\n/, '')

/** The table of the newest values, newest first. */
const table = (page: Page) =>
  page.locator('.values tbody tr').evaluateAll(rows =>
    rows.map(row => ({
      timestamp: Number(row.getAttribute('data-timestamp')),
      cells: Array.from(row.querySelectorAll('td'), cell => cell.textContent),
    })),
  )

describe('the built page', () => {
  it('has less than 150 kB of scripts, compressed', () => {
    const files = pageFiles()
    const scripts = [...files]
      .filter(([name]) => name.endsWith('.js'))
      .map(([, file]) => gzipSync(file).length)
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(150_000)
    expect([...files.keys()]).toContain('index.html')
  })

  it('has assets whose names change with their content, and nothing inline', () => {
    const files = pageFiles()
    for (const name of files.keys())
      if (name !== 'index.html') expect(name).toMatch(/^assets\/[\w-]+-[\w-]{8}\.(js|css|svg)$/)
    const html = String(files.get('index.html'))
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\.\/assets\//)
  })
})

// Each waits for dozens of pictures of the browser; whatever is waited for has a limit of its own.
describe.skipIf(!hasBrowser)('the page', { timeout: 90_000, ...needs('chromium') }, () => {
  beforeAll(async () => {
    service = await startTestService({}, { slow, young })
    server = await startProxy(service.url, '/tools/candela/')
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await service?.close()
  })

  it('shows a live chart with indicators, and follows it through a broken connection', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${server.url}?exchange=demo&symbol=ETHUSDT&timeframe=1h&indicator=#key=many`)
    await badge(page, 'live')

    // The key is gone from the address, and only this tab has it.
    expect(page.url()).not.toContain('many')
    expect(await page.evaluate(() => [sessionStorage.length, Object.keys(localStorage)])).toEqual([
      1,
      ['candela.view'],
    ])
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('many')

    await page.keyboard.press('s')
    await page.keyboard.type('btc 1m')
    await page.getByRole('option', { name: 'BTCUSDT demo 1m' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.legend-market strong', { hasText: 'BTCUSDT' }).waitFor()
    await badge(page, 'live')

    await addIndicator(page, 'rsi')
    await addIndicator(page, 'bollinger')
    await until(() => shownValue(page, 'rsi'), Boolean)
    await until(() => shownValue(page, 'bbands'), Boolean)
    expect(await shownValue(page, 'rsi')).toBeCloseTo(await newest('rsi'), 1)
    expect(page.url()).toBe(`${server.url}${empty}rsi&indicator=bbands`)
    await takePictures(page, 'first picture')

    // A parameter is changed as it is typed.
    await legend(page, 'rsi').locator('.legend-name').click()
    await page.keyboard.type('1')
    await page.locator('.field-fault', { hasText: 'Period must be a whole number from 2 to 500.' }).waitFor()
    expect(page.url(), 'what is wrong does not apply').not.toContain('period')
    await page.keyboard.type('5')
    const fifteen = await newest('rsi?period=15')
    await until(
      () => shownValue(page, 'rsi'),
      value => Math.abs(value - fifteen) < 0.01,
    )
    expect(await legend(page, 'rsi').locator('.legend-name').textContent()).toBe('RSI 15')
    await page.keyboard.press('Escape')

    // The next trade moves the last values.
    service.pass(17)
    await until(
      () => shownValue(page, 'rsi'),
      value => Math.abs(value - fifteen) > 0.005,
    )
    const moved = await newest('rsi?period=15')
    await until(
      () => shownValue(page, 'rsi'),
      value => Math.abs(value - moved) < 0.01,
    )
    const band = await newest('bbands', 'valueUpperBand')
    await until(
      () => shownValue(page, 'bbands'),
      value => Math.abs(value - band) < 0.01,
    )
    expect(tab.errors).toEqual([])

    await page.keyboard.press('r')
    await page.getByRole('tab', { name: 'Values' }).click()
    const before = (await table(page))[0]?.timestamp ?? 0
    server.cut()
    await page.locator('.notice:not([hidden])').waitFor()
    await takePictures(page, 'reconnecting')
    service.pass(7 * 60)
    server.restore()
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 2000 })
      .catch(() => {})
    await badge(page, 'live')
    await until(
      async () => (await table(page))[0]?.timestamp,
      timestamp => timestamp === before + 7 * 60,
    )
    const rows = await table(page)
    expect(rows.map(({ timestamp }) => (before + 7 * 60 - timestamp) / 60)).toEqual(rows.map((_, at) => at))
    const { value } = (await service.get(`/indicator/rsi?${market}&period=15&results=${rows.length}`)) as {
      value: number[]
    }
    // The values of the indicator come after the candles.
    await expect
      .poll(async () => (await table(page)).map(({ cells }) => cells[5]), { timeout: 20_000 })
      .toEqual(value.toReversed().map(each => each.toFixed(2)))

    expect([...tab.hosts]).toEqual([new URL(server.url).host])
    // Messages of a browser about refused connections. There are no other errors.
    expect(tab.errors.filter(error => !/ERR_|WebSocket connection|502/.test(error))).toEqual([])
  })

  it('has its axes within the window, and no label of an axis at the edge of a pane', async () => {
    const tab = await openTab(browser, { width: 1280, height: 720 })
    const { page } = tab
    await page.goto(`${server.url}${empty}rsi&indicator=stoch&indicator=adx&indicator=mfi#key=many`)
    await badge(page, 'live')
    for (const id of ['rsi', 'stoch', 'adx', 'mfi']) await until(() => shownValue(page, id), Boolean)
    const edges = await page.evaluate(() => {
      const rows = [...document.querySelectorAll('.chart tr')].map(row => row.getBoundingClientRect())
      const panes = rows.filter(({ height }) => height > 30)
      return panes.slice(1).map(({ right, top }) => ({ x: right - 60, y: top - 2, width: 56, height: 4 }))
    })
    expect(edges).toHaveLength(4)
    expect(edges.map(({ x, width }) => x + width <= 1280)).not.toContain(false)
    for (const edge of edges) {
      const png = (await page.screenshot({ clip: edge })).toString('base64')
      expect(await textPixels(page, png), `at ${edge.y}`).toBe(0)
    }
  })

  describe('on one chart', () => {
    let page: Page
    beforeAll(async () => {
      page = (await openTab(browser)).page
      await page.goto(`${server.url}${empty}#key=many`)
      await badge(page, 'live')
    })

    it('starts an indicator with the defaults of TradingView, and marks them in the settings', async () => {
      await addIndicator(page, 'supertrend')
      await until(() => shownValue(page, 'supertrend'), Boolean)
      expect(page.url()).toBe(`${server.url}${empty}supertrend,period:10`)
      const ten = await newest('supertrend?period=10')
      await until(
        () => shownValue(page, 'supertrend'),
        value => Math.abs(value - ten) < 0.01,
      )
      await legend(page, 'supertrend').locator('.legend-name').click()
      await page.getByText('1 to 500 · default 10, as on TradingView; 7 in requests').waitFor()
      await page.keyboard.type('7')
      await until(
        async () => page.url(),
        url => url === `${server.url}${empty}supertrend`,
      )
      await page.getByRole('button', { name: 'Reset to default' }).click()
      await until(
        async () => page.url(),
        url => url.endsWith('supertrend,period:10'),
      )
      await removeStudy(page)
    })

    it('lists the expressions of a pasted script of Pine, and the lines without one', async () => {
      await page.keyboard.press('/')
      await page.evaluate(script => {
        const data = new DataTransfer()
        data.setData('text', script)
        const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(paste)
      }, '//@version=6\nindicator("Mine")\nplot(ta.rsi(close, 14) - 50, "RSI")\nplot(bar_index)\n')
      await page.locator('.palette-title', { hasText: 'Expressions of “Mine”' }).waitFor()
      await page.getByRole('option', { name: /line 4.*the number of a candle/ }).waitFor()
      await page.getByRole('option', { name: /rsi\(close, 14\) - 50.*line 3: plot “RSI”/ }).click()
      await page.locator('.palette-verdict', { hasText: /^Now / }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove rsi(close, 14) - 50' }).waitFor()
      await removeStudy(page)
    })
  })

  it('marks patterns, and draws zones', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${server.url}${empty}#key=many`)
    await badge(page, 'live')
    const area = { x: 500, y: 120, width: 400, height: 300 }
    const look = async () => (await page.screenshot({ clip: area })).toString('base64')
    /** A look at the chart that stays: it is drawn in more than one step. */
    const settled = async (isWanted: (shown: string) => boolean) => {
      let before = ''
      const read = async () => {
        const shown = await look()
        const isAtRest = shown === before
        before = shown
        return isAtRest && isWanted(shown) ? shown : ''
      }
      await until(read, Boolean)
      return before
    }
    const plain = await settled(() => true)
    // Below a heading of two lines the candles are lower, whichever indicator it names.
    const hidden = new Set<string>()
    for (const [name, id] of [
      ['engulfing', 'engulfing'],
      ['fair value gap', 'fvg'],
    ] as const) {
      await addIndicator(page, name)
      await legend(page, id).locator('.legend-message:empty').waitFor({ state: 'attached' })
      const drawn = await settled(shown => shown !== plain && !hidden.has(shown))
      await takePictures(page, id === 'fvg' ? 'zones' : 'patterns')
      await page.getByRole('button', { name: /^Hide/ }).focus()
      await page.keyboard.press('Enter')
      hidden.add(await settled(shown => (hidden.size > 0 ? hidden.has(shown) : shown !== drawn)))
      // The focus stays on the button.
      await page.keyboard.press('Enter')
      await until(look, shown => !hidden.has(shown))
      await removeStudy(page)
      await until(look, shown => shown === plain)
    }
    // The name of a marked pattern is shown at the pointer.
    await addIndicator(page, 'engulfing')
    await legend(page, 'engulfing').waitFor()
    const tooltip = page.locator('.tooltip', { hasText: /Engulfing Pattern: (bullish|bearish)/ })
    // One candle after the other: they are 9 pixels apart.
    for (let x = 900; x > 100 && !(await tooltip.isVisible()); x -= 9) {
      await page.mouse.move(x, 300)
      // The chart finds the pattern under the pointer with its next picture, before the pointer moves again.
      await page.evaluate(
        () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
    }
    expect(await tooltip.isVisible()).toBe(true)
    expect(tab.errors).toEqual([])
  })

  it('can be read by keyboard, and rests in the background', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    let letThrough = () => {}
    const isAllowed = new Promise<void>(resolve => {
      letThrough = resolve
    })
    await page.route('**/candles?*', async route => {
      await isAllowed
      await route.continue()
    })
    await page.goto(`${server.url}${empty}rsi#key=many`)
    await page.locator('.cover .skeleton').waitFor()
    letThrough()
    await badge(page, 'live')
    await until(() => shownValue(page, 'rsi'), Boolean)
    expect(await page.locator('.cover').isVisible()).toBe(false)

    const close = page.locator('.legend-market .legend-value', { hasText: 'C' }).locator('.number')
    const candles = (await service.get(`/candles?${market}&results=3`)) as { close: number }[]
    await page.locator('.chart').focus()
    for (const at of [2, 1, 0]) {
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => close.textContent()).toBe(priceText(candles[at]?.close))
    }

    await page.keyboard.press('r')
    await expect.poll(() => page.locator('.code code').textContent()).toContain('"results":500')
    await page.keyboard.press('Escape')
    // Once more, it lets the crosshair go.
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.is-pointed').count()).toBe(0)

    const setHidden = (isHidden: boolean) =>
      page.evaluate(hidden => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    const price = await close.textContent()
    await setHidden(true)
    const newestPrice = (await passMinute('BTCUSDT')).close.toFixed(2)
    expect(newestPrice).not.toBe(price)
    // The candle that has closed may be shown before the one that is forming.
    await until(
      () => page.title(),
      title => title.startsWith(`${newestPrice} `),
    )
    expect(await close.textContent(), 'a page in the background draws nothing').toBe(price)
    await setHidden(false)
    await expect.poll(() => close.textContent()).toBe(priceText(Number(newestPrice)))
    expect(tab.errors).toEqual([])
  })

  it('goes back to the first candle when it is dragged, and to a date', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${server.url}?exchange=young&symbol=NEWUSDT&timeframe=1m&indicator=sma#key=many`)
    await until(() => shownValue(page, 'sma'), Boolean)
    const beginning = page.locator('.beginning:not([hidden])')
    await page.locator('.chart').focus()
    // Narrow candles: a drag passes hundreds.
    for (let n = 0; n < 4; n++) await page.keyboard.press('-')
    for (let n = 0; n < 20 && !(await beginning.isVisible()); n++) {
      await page.mouse.move(80, 300)
      await page.mouse.down()
      await page.mouse.move(950, 300, { steps: 3 })
      await page.mouse.up()
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    await beginning.getByText('the first one opens at 2023-11-14 14:01:00').waitFor()
    await takePictures(page, 'beginning')
    // Other colours do not move the chart.
    await page.keyboard.press('d')
    await page.locator('html[data-theme="dark"]').waitFor()
    expect(await beginning.isVisible()).toBe(true)
    await page.keyboard.press('End')
    await beginning.waitFor({ state: 'hidden' })
    await page.keyboard.press('r')
    expect(await page.locator('.code code').textContent()).toContain(`"results":${youngCount}`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('t')
    await page.getByRole('menuitem', { name: 'Go to a date …' }).press('Enter')
    await page.getByLabel('Day').fill('2023-11-14')
    await page.keyboard.press('Enter')
    await beginning.waitFor()
    // Messages of a browser about the reply that there are no candles.
    expect(tab.errors.filter(error => !/status of 400/.test(error))).toEqual([])
  })

  it('is the same where its link is opened elsewhere, and has no key there', async () => {
    const first = await openTab(browser)
    await first.page.goto(`${server.url}${empty}sma,period:9,source:hl2&indicator=-rsi#key=many`)
    await until(() => shownValue(first.page, 'sma'), Boolean)
    await badge(first.page, 'live')
    const address = first.page.url()
    const text = await headings(first.page)

    const second = await openTab(browser, { dark: true })
    const { page } = second
    await page.goto(address)
    await page.getByRole('heading', { name: 'A key opens the chart' }).waitFor()
    expect([...second.hosts], 'nothing is asked without a key').toEqual([new URL(server.url).host])
    await page.getByLabel('API key').and(page.locator('input')).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This key is not valid' }).waitFor()
    // The link with a key is opened in the tab that shows the page.
    await page.evaluate(() => {
      location.hash = '#key=many'
    })
    await until(() => shownValue(page, 'sma'), Boolean)
    expect(page.url()).toBe(address)
    await badge(page, 'live')
    expect(await headings(page)).toBe(text)
  })

  it('says what is wrong instead of a chart', async () => {
    const tab = await openTab(browser, { width: 360, height: 740 })
    const { page } = tab
    await page.goto(`${server.url}?exchange=demo&symbol=BTCUSD&timeframe=1m&indicator=#key=many`)
    await page.getByRole('button', { name: 'BTCUSDT · demo' }).click()
    await badge(page, 'live')
    const { height = 0 } = (await page.locator('.chart').boundingBox()) ?? {}
    expect(height / 740, 'a phone has a chart of three fifths of its height').toBeGreaterThan(0.6)

    await page.goto(`${server.url}${empty}rsi,period:1&indicator=nosuch&indicator=sma,period:4#key=many`)
    await legend(page, 'rsi').locator('.is-error', { hasText: 'period must be a whole number' }).waitFor()
    await legend(page, 'nosuch').locator('.is-error', { hasText: 'There is no indicator nosuch.' }).waitFor()
    await until(() => shownValue(page, 'sma'), Boolean)
  })

  it('screens markets in a table that follows them, and leads to their charts', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${server.url}${empty}rsi#key=many`)
    await badge(page, 'live')
    await fetch(`${service.url}/lists`, {
      method: 'POST',
      headers: { Authorization: 'Bearer many', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'majors', symbols: ['BTCUSDT', 'ETHUSDT'] }),
    })
    await page.keyboard.press('m')
    const condition = page.getByRole('dialog').getByLabel('Condition')
    await condition.fill('close > nothing')
    await page.keyboard.press('Enter')
    await page.locator('.screen-status.is-error', { hasText: 'at character 9: unknown name' }).waitFor()
    expect(
      await condition.evaluate((field: HTMLInputElement) =>
        field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
      ),
    ).toBe('nothing')

    await condition.fill('close > 0')
    await page.getByLabel('Columns').fill('size = volume')
    await page.getByLabel('Exchange').fill('slow')
    await page.keyboard.press('Enter')
    await page.locator('.screen-status', { hasText: 'Fetching candles: 0 of 3 markets' }).waitFor()
    expect(await page.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.max)).toBe(3)
    slow.letThrough()
    await page.locator('.screen-table caption', { hasText: 'holds at 2 of 2 markets' }).waitFor()
    expect(await page.getByRole('progressbar').isVisible()).toBe(false)
    await page.getByText('1 market could not be screened').click()
    await page.getByText(/^GONEUSDT: Failed to fetch candles/).waitFor()

    await page.getByLabel('Exchange').fill('demo')
    await page.getByLabel('Symbols').fill('BTCUSDT, ETHUSDT, ADAUSDT')
    await page.getByRole('dialog').getByRole('button', { name: 'Screen' }).click()
    const rows = () =>
      page
        .locator('.screen-table tbody tr')
        .evaluateAll(found => found.map(each => Array.from(each.children, cell => cell.textContent)))
    const symbols = async () => (await rows()).map(([symbol]) => symbol).join()
    await until(symbols, text => text === 'ADAUSDT,BTCUSDT,ETHUSDT')
    await until(
      () => page.locator('.spark path[d^="M"]').count(),
      count => count === 3,
    )
    const header = page.getByRole('columnheader', { name: 'Close', exact: true })
    await header.getByRole('button').focus()
    await page.keyboard.press('Enter')
    expect(await symbols()).toBe('BTCUSDT,ETHUSDT,ADAUSDT')
    expect(await header.getAttribute('aria-sort')).toBe('descending')
    await page.keyboard.press('Enter')
    expect(await symbols()).toBe('ADAUSDT,ETHUSDT,BTCUSDT')
    expect(await header.getAttribute('aria-sort')).toBe('ascending')

    // The table follows the markets.
    const { close } = await passMinute('ETHUSDT')
    await until(rows, now => now[1]?.[2] === priceText(close))

    // At how many markets, by time; and the lists of the key.
    await page.getByText('How many, by time').click()
    await page.getByText('100.0 % of the markets now, 100.0 % to 100.0 % in the last 200 candles').waitFor()
    expect(await page.locator('.breadth-line path').getAttribute('d')).toMatch(/^M0 0L/)
    expect(
      await page
        .locator('.screen-form datalist option')
        .evaluateAll(found => found.map(each => (each as HTMLOptionElement).value)),
    ).toContain('BTCUSDT, ETHUSDT, list:majors')
    await takePictures(page, 'screen')
    await page.getByRole('link', { name: 'ETHUSDT' }).click()
    await page.locator('.legend-market strong', { hasText: 'ETHUSDT' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(page.url()).toBe(`${server.url}${empty.replace('BTC', 'ETH')}rsi`)
    await badge(page, 'live')
    await takePictures(page, 'screen row')
    await page.getByRole('button', { name: 'Back to the table' }).click()
    await until(symbols, text => text === 'ADAUSDT,ETHUSDT,BTCUSDT')
    expect(tab.errors).toEqual([])
  })

  it('shows a first visitor the RSI with its levels, plots a condition, and makes an alert that fires, also after a restart', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-page-'))
    const own = await startTestService({ dataDirectory })
    own.pass((await nextDip()) - 60 - midnight)
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${own.url}/${empty}#key=many`)
    await badge(page, 'live')
    await addIndicator(page, 'rsi')
    await until(() => shownValue(page, 'rsi'), Boolean)
    // The levels 30 and 70, in a pane that has neither 0 nor 100 at its ends.
    await until(
      () => levelLines(page, 'rsi'),
      count => count === 2,
    )

    await page.keyboard.press('/')
    await page.keyboard.insertText('rsi(14) < opne')
    await page.locator('.palette-verdict.is-error', { hasText: 'at character 11' }).waitFor()
    await page.keyboard.press('Enter')
    // The fault is selected, so that it is typed over.
    await page.keyboard.type('30')
    await page.locator('.palette-verdict', { hasText: /^False now/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Alert when rsi(14) < 30' }).waitFor()
    await takePictures(page, 'plotted condition')
    await page.getByRole('button', { name: 'Alert when rsi(14) < 30' }).click()
    await page.locator('.toast', { hasText: 'Alert is on: rsi(14) < 30' }).waitFor()

    const fired = page.locator('.toast', { hasText: 'rsi(14) < 30 · BTCUSDT 1m' })
    for (let minutes = 0; minutes < 5 && !(await fired.first().isVisible()); minutes++) {
      const last = (await own.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1m')) as Timed[]
      own.pass(60)
      await until(
        async () => (await own.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1m')) as Timed[],
        now => (now[0]?.timestamp ?? 0) > (last[0]?.timestamp ?? 0),
      )
      await fired
        .first()
        .waitFor({ timeout: 500 })
        .catch(() => {})
    }
    expect(await fired.first().isVisible()).toBe(true)
    await takePictures(page, 'alert that has fired')

    // From the menu at a price, by keyboard.
    await page.locator('.chart').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: /^Alert when price crosses \d/ }).press('Enter')
    await page.locator('.toast', { hasText: 'Alert is on: price crosses' }).waitFor()

    await page.keyboard.press('a')
    const rows = page.locator('.alert-table tbody tr')
    await until(
      () => rows.count(),
      count => count === 2,
    )
    expect(await rows.first().innerText()).toMatch(
      /rsi\(14\) < 30\s+BTCUSDT 1m · demo\s+On\s+2023-11-15 \d\d:\d\d/,
    )
    await page.getByRole('button', { name: 'Send a test: rsi(14) < 30' }).click()
    await page.getByText('The test has arrived.').waitFor()
    await takePictures(page, 'list of alerts')
    await page.getByRole('button', { name: /^Delete: price crosses/ }).click()
    await page.getByRole('button', { name: 'Pause: rsi(14) < 30' }).click()
    await page.getByRole('cell', { name: 'Paused' }).waitFor()
    await own.close()

    const restarted = await startTestService({ dataDirectory })
    await page.goto(`${restarted.url}/${empty}#key=many`)
    await badge(page, 'live')
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Resume: rsi(14) < 30' }).waitFor()
    expect(await rows.count()).toBe(1)
    await restarted.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  it('has no fault that axe finds, in any view, light or dark', { tags: ['browser'] }, async () => {
    const tab = await openTab(browser)
    const { page } = tab
    const faults: string[] = []
    const check = async (view: string) => {
      const found = await accessibilityFaults(page)
      faults.push(...found.map(fault => `${view}: ${fault}`))
      await takePictures(page, view)
    }
    const dialog = page.locator('dialog[open]')
    const close = async () => {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'A key opens the chart' }).waitFor()
    await check('no key')
    await page.goto(`${server.url}?exchange=demo&symbol=BTCUSD&timeframe=1m&indicator=#key=many`)
    await page.getByRole('button', { name: 'BTCUSDT · demo' }).waitFor()
    await check('unknown market')

    const plotted = `expression,expression:${encodeURIComponent('close > open')}`
    await page.goto(
      `${server.url}${empty}rsi&indicator=bbands&indicator=nosuch&indicator=${plotted}#key=many`,
    )
    await badge(page, 'live')
    await until(() => shownValue(page, 'rsi'), Boolean)
    await legend(page, 'nosuch').locator('.is-error').waitFor()
    await check('chart')

    for (const [key, text, view] of [
      ['/', 'rsi', 'palette'],
      ['/', 'rsi(14) < cl', 'palette with a fault'],
      ['/', 'close > close{eth', 'palette with another market'],
      ['s', 'btc', 'palette of symbols'],
    ] as const) {
      await page.keyboard.press(key)
      await page.keyboard.type(text)
      await dialog.getByRole('option').first().waitFor()
      if (key === '/' && text !== 'rsi') await dialog.locator('.palette-verdict.is-error').waitFor()
      await check(view)
      await close()
    }
    await legend(page, 'rsi').locator('.legend-name').click()
    await page.keyboard.type('1')
    await page.locator('.field-fault', { hasText: 'Period must be' }).waitFor()
    await check('form with a fault')
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await check('request')
    await page.getByRole('tab', { name: 'Values' }).click()
    await check('values')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Appearance' }).click()
    await check('appearance')
    await page.keyboard.press('Escape')
    await page.locator('.chart').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem').first().waitFor()
    await check('menu')
    await page.getByRole('menuitem', { name: /date/i }).press('Enter')
    await dialog.waitFor()
    await check('date')
    await close()
    for (const [name, view] of [
      ['What followed close > open', 'evaluation'],
      ['Alerts', 'alerts'],
      ['API key', 'key'],
      ['Help and keys', 'help and keys'],
    ] as const) {
      await page.getByRole('button', { name }).first().click()
      await dialog.waitFor()
      if (view === 'evaluation') await dialog.locator('table').waitFor()
      await check(view)
      await close()
    }
    await page.keyboard.press('m')
    await dialog.getByRole('button', { name: 'Screen' }).click()
    await dialog.locator('tbody tr').first().waitFor()
    await check('screen')
    await close()

    await page.goto(`${server.url}help`)
    await check('help')
    await page.getByRole('searchbox').fill('Not enough candles: rsi needs 15, 8 available')
    await page.locator('.results li').first().waitFor()
    await check('results')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Messages' }).waitFor()
    expect(page.url()).toContain('/tools/candela/help/messages#not-enough-candles')
    await page.getByRole('link', { name: 'Bulk requests' }).first().click()
    await page.getByRole('heading', { name: 'Bulk requests' }).waitFor()
    await check('document')
    expect([...tab.hosts]).toEqual([new URL(server.url).host])
    expect(faults).toEqual([])
    // Messages of a browser about replies for missing pages.
    expect(tab.errors.filter(error => !/status of 40[04]/.test(error))).toEqual([])
  })

  it('draws levels that move, goes back, takes a removal back, and opens with what was seen last', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${server.url}${empty}rsi#key=many`)
    await badge(page, 'live')
    await until(() => shownValue(page, 'rsi'), Boolean)

    const stored = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('candela.drawings') ?? '{}')['|demo:BTCUSDT'] ?? [])
    await page.mouse.click(700, 300, { button: 'right' })
    await page.getByRole('menuitem', { name: /^Level at \d/ }).click()
    const [level] = await stored()
    await takePictures(page, 'level')
    await page.mouse.move(700, 300)
    await page.mouse.down()
    await page.mouse.move(700, 340, { steps: 4 })
    await page.mouse.up()
    const [moved] = await stored()
    expect(moved.points[0].value).toBeLessThan(level.points[0].value)
    await page.mouse.click(700, 340, { button: 'right' })
    await page
      .getByRole('menuitem', { name: `Alert when price crosses ${priceText(moved.points[0].value)}` })
      .waitFor()
    await page.getByRole('menuitem', { name: 'Remove the level' }).click()
    expect(await stored()).toEqual([])

    await legend(page, 'rsi').hover()
    await page.getByRole('button', { name: 'Remove RSI' }).click()
    await legend(page, 'rsi').waitFor({ state: 'detached' })
    await takePictures(page, 'undo')
    await page.locator('.toast', { hasText: 'RSI is removed' }).getByRole('button', { name: 'Undo' }).click()
    await legend(page, 'rsi').waitFor()
    expect(await stored(), 'the level that was removed before is not what comes back').toEqual([])
    await page.keyboard.press('z')
    expect(await stored()).toEqual([moved])

    await page.keyboard.press('l')
    await page.keyboard.press('s')
    await page.keyboard.type('eth 5m')
    await page.getByRole('option', { name: 'ETHUSDT demo 5m' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.legend-market strong', { hasText: 'ETHUSDT' }).waitFor()
    const seen = page.url()
    expect(seen).toContain('scale=log')
    await page.goto(server.url)
    await badge(page, 'live')
    expect(page.url()).toBe(seen)
    await page.goBack()
    await page.goBack()
    await page.locator('.legend-market strong', { hasText: 'BTCUSDT' }).waitFor()
    expect(tab.errors).toEqual([])
  })

  it('takes keys after a click on a timeframe, and Ctrl+Z takes a drawing back with its bar and its message', async () => {
    const tab = await openTab(browser)
    const { page } = tab
    await page.goto(`${server.url}${empty}rsi#key=many`)
    await badge(page, 'live')
    await until(() => shownValue(page, 'rsi'), Boolean)
    await page.locator('.bar label', { hasText: /^5m$/ }).click()
    await until(
      async () => page.url(),
      url => url.includes('timeframe=5m'),
    )
    await page.keyboard.press('s')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // Without candles there is no price for a level.
    await badge(page, 'live')
    await until(() => shownValue(page, 'rsi'), Boolean)

    const addLevel = async (y: number) => {
      await page.mouse.click(700, y, { button: 'right' })
      await page.getByRole('menuitem', { name: /^Level at \d/ }).click()
    }
    const bar = page.locator('.hint', { hasText: 'Delete removes it' })
    await addLevel(300)
    await bar.waitFor()
    await page.keyboard.press('Delete')
    const message = page.locator('.toast', { hasText: 'is removed' })
    await message.waitFor()
    await page.keyboard.press('Control+z')
    await message.waitFor({ state: 'detached' })
    await addLevel(240)
    await bar.waitFor()
    await page.keyboard.press('Control+z')
    await bar.waitFor({ state: 'hidden' })

    const zone = page.getByRole('button', { name: 'Time zone: UTC', exact: true })
    await zone.click()
    await page.getByRole('menuitem', { name: /^Tokyo/ }).click()
    await page.getByRole('button', { name: 'Time zone: UTC+9' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Time zone: UTC+9' }).waitFor()
    expect(tab.errors).toEqual([])
  })

  describe('all by keyboard', () => {
    let tab: Awaited<ReturnType<typeof openTab>>
    let page: Page
    beforeAll(async () => {
      tab = await openTab(browser)
      page = tab.page
    })
    const drawings = (layout: string) =>
      page.evaluate(
        place => JSON.parse(localStorage.getItem('candela.drawings') ?? '{}')[place] ?? [],
        `${layout}|demo:BTCUSDT`,
      )
    const chooseTool = async (name: string | RegExp) => {
      await page.keyboard.press('t')
      const item = page.getByRole('menuitem', { name })
      for (let n = 0; n < 20 && !(await item.evaluate(each => each === document.activeElement)); n++)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    const keys = async (...names: readonly string[]) => {
      for (const name of names) await page.keyboard.press(name)
    }

    it('draws', async () => {
      await page.goto(`${server.url}${empty}sma#key=many`)
      await badge(page, 'live')
      await until(() => shownValue(page, 'sma'), Boolean)

      // A trend line from the newest candle to one ten candles before, and higher.
      await chooseTool('Trend line')
      await keys('Enter', 'Shift+ArrowLeft', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Enter')
      const [line] = await drawings('')
      const [from, to] = line.points
      expect(line.kind).toBe('trend')
      expect(from.time - to.time).toBe(10 * 60)
      expect(to.value).toBeGreaterThan(from.value)
      await page.reload()
      await badge(page, 'live')
      expect(await drawings('')).toEqual([line])
      await chooseTool(/^Choose: Trend line/)
      await keys('ArrowRight', 'Shift+ArrowRight')
      const [moved] = await drawings('')
      expect(moved.points.map(({ time }: { time: number }) => time)).toEqual([from.time + 60, to.time + 120])
      await keys('Delete')
      expect(await drawings('')).toEqual([])
      await keys('z')
      expect(await drawings('')).toEqual([moved])
      await chooseTool('Text')
      await keys('Enter')
      await page.keyboard.type('Here')
      await keys('Enter')
      expect((await drawings('')).map(({ text }: { text?: string }) => text)).toEqual([undefined, 'Here'])
      await chooseTool('Measure')
      await keys('Enter', 'Shift+ArrowLeft', 'Shift+ArrowUp', 'Enter')
      await takePictures(page, 'drawings')
      await keys('Delete')
    })

    it('compares and watches', async () => {
      // Another market in per cent, which moves.
      await keys('c')
      await page.keyboard.type('eth')
      await page.getByRole('option', { name: 'ETHUSDT demo' }).waitFor()
      await keys('Enter')
      const compared = page.locator('[data-study="demo:ETHUSDT"] .number')
      const change = await until(
        () => compared.textContent(),
        text => /^[+−]\d/.test(String(text)),
      )
      expect(page.url()).toContain('&compare=demo:ETHUSDT')
      await takePictures(page, 'compare')
      await passMinute('ETHUSDT')
      await until(
        () => compared.textContent(),
        text => text !== change,
      )

      // The watchlist has the same close, and opens a chart.
      await keys('w', 'Enter')
      const row = page.locator('.watch-row[data-symbol="demo:BTCUSDT"]')
      const [day] = (await service.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1d')) as {
        close: number
      }[]
      await row.locator('.number', { hasText: priceText(day?.close) }).waitFor()
      expect(await row.getAttribute('aria-current')).toBe('true')

      // It has an order, which keys and the pointer change.
      const order = () =>
        page
          .locator('.watch-row')
          .evaluateAll(rows => rows.map(each => (each as HTMLElement).dataset.symbol?.slice(5)).join())
      await page.getByRole('button', { name: 'Add a symbol to the watchlist' }).focus()
      await keys('Enter')
      await page.keyboard.type('eth')
      await page.getByRole('option', { name: 'ETHUSDT demo' }).waitFor()
      await keys('Enter')
      expect(await order()).toBe('BTCUSDT,ETHUSDT')
      await row.focus()
      await keys('Alt+ArrowDown')
      expect(await order()).toBe('ETHUSDT,BTCUSDT')
      expect(await row.evaluate(each => each === document.activeElement), 'it keeps the focus').toBe(true)
      const { x = 0, y = 0 } = (await page.locator('.grip').first().boundingBox()) ?? {}
      const { y: lower = 0 } = (await page.locator('.grip').last().boundingBox()) ?? {}
      await page.mouse.move(x + 4, y + 8)
      await page.mouse.down()
      await page.mouse.move(x + 4, lower + 8, { steps: 3 })
      await page.mouse.up()
      expect(await order()).toBe('BTCUSDT,ETHUSDT')
      await takePictures(page, 'watchlist')
      await row.focus()
      await keys('Escape')
    })

    it('completes and colours an expression', async () => {
      // Another market in an expression is completed, and a condition has the colour that is chosen for it.
      await keys('/')
      // The dialog is opened again before the browser has reported its close, and stays usable.
      await page.evaluate(() => {
        document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
      })
      await page.keyboard.type('close > close{ethu')
      await page.getByRole('option', { name: 'ETHUSDT}' }).waitFor()
      await keys('Tab')
      await page.locator('.palette-verdict', { hasText: /^True now/ }).waitFor()
      await keys('Enter')
      await page.getByRole('button', { name: 'Alert when close > close{ETHUSDT}' }).focus()
      await page.getByRole('button', { name: 'Colours of close > close{ETHUSDT}' }).focus()
      await keys('Enter', 'ArrowRight')
      await takePictures(page, 'style')
      await keys('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(page.url()).toContain('ETHUSDT%7D,_colours:0')
      await page.getByRole('button', { name: 'Alert when close > close{ETHUSDT}' }).focus()
      await page.getByRole('button', { name: 'Remove close > close{ETHUSDT}' }).focus()
      await keys('Enter')
      // A busy browser types slowly, and the page checks what is typed so far: `close > cl` is refused.
      const refused = 'Failed to load resource: the server responded with a status of 400 (Bad Request)'
      tab.errors.splice(0, tab.errors.length, ...tab.errors.filter(text => text !== refused))
    })

    it('keeps layouts', async () => {
      // A layout has its own drawings, and is saved as it is left.
      await keys('o')
      await page.keyboard.type('Scalping')
      await keys('Enter')
      await page.locator('.legend-market', { hasText: 'Scalping' }).waitFor()
      expect(await drawings('1')).toHaveLength(2)
      await legend(page, 'sma')
        .getByRole('button', { name: /^Colours/ })
        .focus()
      await keys('Enter', 'ArrowRight', 'ArrowRight', 'Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(page.url()).toContain('sma,_colours:1')
      await keys('o', 'Tab', 'Tab', 'Tab', 'Tab')
      await page.keyboard.type('Empty')
      await keys('Enter')
      await page.locator('.legend-market', { hasText: 'Empty' }).waitFor()
      await legend(page, 'sma')
        .getByRole('button', { name: /^Remove/ })
        .focus()
      await keys('Enter')
      await legend(page, 'sma').waitFor({ state: 'detached' })
      await keys('o', 'ArrowUp', 'Enter')
      await legend(page, 'sma').waitFor()
      expect(page.url()).toContain('sma,_colours:1')
      await page.goto(server.url)
      await page.locator('.legend-market', { hasText: 'Scalping' }).waitFor()
      if (pictureFolder) {
        await badge(page, 'live')
        await keys('o')
        await takePictures(page, 'layouts')
        await keys('Escape', 't')
        await takePictures(page, 'tools')
        await keys('Escape')
        const views = {
          'three panes': 'bbands&indicator=rsi&indicator=macd&indicator=stoch',
          'logarithmic scale': 'sma&scale=log',
          'per cent': 'sma&scale=percent',
          'heikin ashi': 'sma&style=heikinashi',
          line: 'sma&style=line',
          area: 'sma&style=area',
          'other market': `expression,expression:${encodeURIComponent('close / close{ETHUSDT}')}`,
        }
        for (const [name, text] of Object.entries(views)) {
          await page.goto(`${server.url}${empty.replace('1m', '1d')}${text}`)
          await badge(page, 'live')
          await takePictures(page, name)
        }
      }
      expect(tab.errors).toEqual([])
    })
  })
})
