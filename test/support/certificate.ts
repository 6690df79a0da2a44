import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`certificates/${name}`, import.meta.url), 'utf8')

/** A certificate for `localhost` that no program trusts, and its key. */
export const certificate = { cert: read('cert.pem'), key: read('key.pem') } as const
