import { readFileSync } from 'node:fs'

/** Version and description in package.json. */
export const { version, description }: { readonly version: string; readonly description: string } =
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
