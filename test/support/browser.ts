import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

export type { Page }

/** Chromium of Debian without windows, which takes two thirds of the processor time, or the whole one. */
const debianPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The browser of the tests. `CHROMIUM` names another one. */
export const executablePath = process.env.CHROMIUM ?? debianPaths.find(existsSync) ?? '/usr/bin/chromium'

/** Whether a browser is available; without one its tests are skipped and reported. */
export const hasBrowser = existsSync(executablePath)

/** A headless Chromium that sends no requests of its own. Its driver costs half a second, so that it is loaded with a browser. */
export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

interface TabOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** Whether the device has a touch screen. */
  readonly touch?: boolean
}

/** A tab with a storage of its own, its console output, and the hosts that it requested. */
async function newTab(browser: Browser, hasTouch: boolean) {
  const context = await browser.newContext({ reducedMotion: 'reduce', hasTouch })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const errors: string[] = []
  const hosts = new Set<string>()
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', error => errors.push(String(error)))
  page.on('request', request => hosts.add(new URL(request.url()).host))
  page.on('websocket', socket => hosts.add(new URL(socket.url()).host))
  return { page, errors, hosts }
}
type Tab = Awaited<ReturnType<typeof newTab>>

/** The tab of each browser that the tests use one after the other. */
const usedTabs = new WeakMap<Browser, Tab>()

/** Leaves the page that a tab shows, and forgets what it has stored, its pointer, its errors and its hosts. */
async function clearTab({ page, errors, hosts }: Tab): Promise<void> {
  await page.unrouteAll()
  await page.evaluate(() => {
    for (const storage of [localStorage, sessionStorage]) storage.clear()
    // A page that is left stores nothing again.
    Storage.prototype.setItem = () => {}
  })
  await page.goto('about:blank')
  await page.mouse.move(-1, -1)
  errors.length = 0
  hosts.clear()
}

/**
 * An empty tab: a new one for a touch screen, else the same for all tests of a browser, which saves a third of the processor
 * time of a first page.
 */
export async function openTab(
  browser: Browser,
  { width = 1024, height = 640, dark = false, touch = false }: TabOptions = {},
): Promise<Tab> {
  const used = touch ? undefined : usedTabs.get(browser)
  if (used) await clearTab(used)
  const tab = used ?? (await newTab(browser, touch))
  if (!touch) usedTabs.set(browser, tab)
  await tab.page.setViewportSize({ width, height })
  await tab.page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  return tab
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}
declare const window: { readonly axe?: { run(context: Node, options: object): Promise<AxeResults> } }

/** Faults that axe finds in the open dialog, or in the page without one; `only` are the rules or the tags of rules. */
async function axeFaults(page: Page, only: object): Promise<readonly string[]> {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axe)
  const results = await page.evaluate(async runOnly => {
    const context = document.querySelector('dialog[open]') ?? document
    // The style sheets need not be fetched again for rules about them.
    return window.axe?.run(context, { runOnly, resultTypes: ['violations'], preload: false })
  }, only)
  return (results?.violations ?? []).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Switches a page that follows the system to one of its themes. Resolves when colours have stopped changing. */
async function showTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(theme => document.documentElement.dataset.theme === theme, colorScheme)
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(each => each instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  )
}

/**
 * Faults that axe finds by the rules of WCAG 2.2 AA and its own, in a page that follows the system's theme; contrasts in
 * both themes, because only they depend on the theme. The page has the other theme afterwards.
 */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const first = await page.evaluate(() => document.documentElement.dataset.theme)
  const other = first === 'dark' ? 'light' : 'dark'
  const found = await axeFaults(page, { type: 'tag', values: tags })
  await showTheme(page, other)
  const contrasts = await axeFaults(page, { type: 'rule', values: ['color-contrast'] })
  return [...found.map(fault => `${first} ${fault}`), ...contrasts.map(fault => `${other} ${fault}`)]
}

const sizes = { wide: [1440, 900], zoomed: [720, 450], phone: [360, 740] } as const

/** The folder for pictures of the page; undefined to take none. */
export const pictureFolder = process.env.PICTURES

/**
 * Writes pictures of the page into the folder: in each theme at 1440 × 900, at 200 % of that, and on a phone of 360 × 740.
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!pictureFolder) return
  mkdirSync(pictureFolder, { recursive: true })
  const size = page.viewportSize()
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    for (const [kind, [width, height]] of Object.entries(sizes)) {
      if (theme === 'dark' && kind !== 'wide') continue
      await page.setViewportSize({ width, height })
      // The chart follows the size of the window with one of the next frames.
      await page.waitForTimeout(300)
      const file = `${name.replaceAll(' ', '-')}-${theme === 'dark' ? theme : kind}.png`
      await page.screenshot({ path: join(pictureFolder, file) })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (size) await page.setViewportSize(size)
  await page.waitForTimeout(100)
}
