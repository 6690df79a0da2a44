import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Fixture } from './fixture.js'

const folder = fileURLToPath(new URL('./fixtures/', import.meta.url))

/** The fixtures of every file in test/patterns/fixtures, in the order of the files' names. */
export async function readFixtures(): Promise<readonly Fixture[]> {
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.ts')) : []
  const modules = await Promise.all(names.sort().map(name => import(`./fixtures/${name.slice(0, -3)}.ts`)))
  return modules.flatMap(({ fixtures }: { fixtures: readonly Fixture[] }) => fixtures)
}
