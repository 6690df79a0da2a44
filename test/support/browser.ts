import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian's package `chromium` puts it, unless `CHROMIUM` names another one. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether there is a browser for tests; without one they are skipped, and the reporter says so. */
export const hasBrowser = existsSync(executablePath)

/** A headless Chromium that asks nobody for anything by itself. */
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
