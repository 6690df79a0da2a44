// The first hour of a trader at the page: an average in older history, keys after a click, levels of pivots and of a
// retracement, drawings. It needs the package playwright-core, a Chromium, and a service at CANDELA_URL with a key in
// CANDELA_KEY.
//
//   node examples/first-hour.mjs             prints a line for each step
//   node examples/first-hour.mjs pictures    also writes a picture of each step into the folder
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const {
  CANDELA_URL: url = 'http://127.0.0.1:8080',
  CANDELA_KEY: key = '',
  CHROMIUM: executablePath = '/usr/bin/chromium',
} = process.env
const [folder] = process.argv.slice(2)
if (folder) mkdirSync(folder, { recursive: true })

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
page.setDefaultTimeout(15_000)

let failure
/** Takes a step. Its picture is taken even if it fails, and the next step follows. */
const step = async (name, work) => {
  try {
    await work()
  } catch (error) {
    failure ??= error
    console.log(`${name} stopped: ${error.message.split('\n')[0]}`)
  }
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}
const legend = id => page.locator(`[data-study="${id}"]`)
/** The values of an indicator in its heading, once they have arrived. */
const values = async id => {
  await legend(id).locator('.number', { hasText: /\d/ }).first().waitFor()
  return (await legend(id).locator('.number').allTextContents()).join(' ')
}
const zoomOut = async () => {
  for (let n = 0; n < 8; n++) await page.mouse.wheel(0, 400)
}
const isLive = () => page.locator('.badge[data-kind="live"]').waitFor()
const addIndicator = async text => {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
}

await step('1-older-history', async () => {
  const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
  await page.goto(`${url}/?${market}&indicator=sma,period:200&indicator=macd#key=${key}`)
  await isLive()
  console.log(`SMA 200 ${await values('sma')}`)

  const bar = page.locator('.legend-market')
  await page.mouse.move(1300, 300)
  await zoomOut()
  for (let n = 0; n < 6; n++) {
    await page.mouse.move(200, 300)
    await page.mouse.down()
    await page.mouse.move(1300, 300, { steps: 4 })
    await page.mouse.up()
    // Older candles have arrived.
    await page.waitForLoadState('networkidle')
  }
  await page.mouse.move(700, 300)
  await zoomOut()
  await page.waitForLoadState('networkidle')
  const average = await values('sma')
  console.log(`older ${(await bar.innerText()).replaceAll('\n', ' ')}: ${average}`)
})

await step('3-levels', async () => {
  await page.keyboard.press('End')
  await page.locator('.bar label', { hasText: /^1d$/ }).click()
  await isLive()
  await addIndicator('pivot points standard')
  await addIndicator('fibonacci retracement')
  console.log(`pivots ${await values('pivotpoints')}`)
})

await step('5-drawing-tools', async () => {
  const tools = page.getByRole('toolbar', { name: 'Drawing tools' })
  await tools.getByRole('button', { name: 'Trend line', exact: true }).click()
  await page.mouse.click(500, 300)
  await page.mouse.click(700, 250)
  await tools.getByRole('button', { name: 'Fibonacci retracement', exact: true }).click()
  await page.mouse.click(500, 350)
  await page.mouse.click(800, 250)
  const drawings = await page.evaluate(
    () => JSON.parse(localStorage.getItem('candela.drawings'))['|demo:BTCUSDT'],
  )
  console.log(`drawings ${drawings.map(({ kind }) => kind).join(' ')}`)
})

await browser.close()
if (failure) throw failure
