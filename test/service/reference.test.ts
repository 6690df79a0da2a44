import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, launchBrowser } from '../support/browser.js'
import { needs } from '../support/needs.js'
import { startTestService, type TestService } from '../support/test-service.js'

/** Timeout for the page to draw, on a machine that also does other work. */
const timeout = 60_000

describe.skipIf(!hasBrowser)('the reference in a browser (Chromium)', needs('chromium'), () => {
  let service: TestService
  let browser: Browser
  let page: Page
  /** Messages of the console, exceptions, and requests to other hosts. None may occur. */
  const faults: string[] = []
  beforeAll(async () => {
    service = await startTestService()
    browser = await launchBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(timeout)
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text())
    })
    page.on('pageerror', error => faults.push(error.message))
    page.on('request', request => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url)
        faults.push(request.url())
    })
  }, timeout)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  it('shows an indicator and tries it with a key, and asks no other host', { timeout }, async () => {
    await page.goto(`${service.url}/docs`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.auth-container input').fill('many')
    await page.getByRole('button', { name: 'Apply credentials' }).click()
    await page.locator('.modal-ux .btn-done').click()
    await page.locator('#operations-tag-Volatility').click()
    const atr = page.locator('#operations-Volatility-get_atr')
    await atr.getByRole('button').first().click()
    await atr.getByRole('button', { name: 'Execute' }).click()
    const reply = atr.locator('.live-responses-table .response').first()
    await reply.waitFor()
    expect(await reply.locator('.response-col_status').innerText()).toMatch(/^200/)
    expect(await reply.locator('.response-col_description').innerText()).toMatch(/"value"/)
    expect(faults).toEqual([])
  })

  it('has no fault that axe finds, light or dark', { timeout, tags: ['browser'] }, async () => {
    await page.goto(`${service.url}/docs`)
    await page.locator('#operations-tag-Volatility').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
