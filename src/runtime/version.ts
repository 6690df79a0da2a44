import { readFileSync } from 'node:fs'

export const { version, description }: { readonly version: string; readonly description: string } =
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
