import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

export type { Page }

/** Where Debian's package `chromium` puts it, unless `CHROMIUM` names another one. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether there is a browser for tests; without one they are skipped, and the reporter says so. */
export const hasBrowser = existsSync(executablePath)

/** A headless Chromium that sends no requests of its own. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

interface TabOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

/** A tab without the storage of any other, with what was said on its console and the hosts that it asked. */
export async function openTab(
  browser: Browser,
  { width = 1440, height = 900, dark = false }: TabOptions = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
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
  return { page, errors, hosts, close: () => context.close() }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}
declare const window: { readonly axe?: { run(context: Node, options: object): Promise<AxeResults> } }

/** What axe finds wrong with the open dialog, or with the page where there is none; `only` are the rules or the tags of rules. */
async function axeFaults(page: Page, only: object): Promise<readonly string[]> {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axe)
  const results = await page.evaluate(async runOnly => {
    const context = document.querySelector('dialog[open]') ?? document
    return window.axe?.run(context, { runOnly, resultTypes: ['violations'] })
  }, only)
  return (results?.violations ?? []).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong by the rules of WCAG 2.2 AA and its own, of a page that follows the system's theme; in the dark, its contrasts. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const found = [...(await axeFaults(page, { type: 'tag', values: tags }))]
  const show = async (colorScheme: 'dark' | 'light') => {
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(theme => document.documentElement.dataset.theme === theme, colorScheme)
  }
  await show('dark')
  const contrasts = await axeFaults(page, { type: 'rule', values: ['color-contrast'] })
  found.push(...contrasts.map(fault => `dark ${fault}`))
  await show('light')
  return found
}
