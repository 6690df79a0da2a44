import { readFileSync } from 'node:fs'

/** What package.json says about this program. */
export const { version, description }: { readonly version: string; readonly description: string } =
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
