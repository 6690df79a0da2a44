import { existsSync } from 'node:fs'
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
