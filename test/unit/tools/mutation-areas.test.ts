import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'

const root = new URL('../../../', import.meta.url)
const areas: Readonly<Record<string, { readonly folder: string; readonly tests: readonly string[] }>> =
  JSON.parse(readFileSync(new URL('test/mutation/areas.json', root), 'utf8'))

/** Whether a path exists, or a pattern such as `test/unit/live/*.test.ts` names a file. */
function isThere(path: string): boolean {
  const [start = '', end] = path.split('*')
  const place = new URL(start, root)
  return existsSync(place) && (end === undefined || readdirSync(place).some(name => name.endsWith(end)))
}

it.each(Object.keys(areas))('the area %s of the mutation tests names folders and tests that exist', name => {
  const { folder = '', tests = [] } = areas[name] ?? {}
  expect(tests.length).toBeGreaterThan(0)
  expect([folder, ...tests].filter(path => !isThere(path))).toEqual([])
})

it('a mutation test of anything else is refused in one line', async () => {
  const { argv } = process
  onTestFinished(() => {
    process.argv = argv
  })
  const print = vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(process, 'exit').mockImplementation(code => {
    throw new Error(`exit ${code}`)
  })
  /** Expects that the program, in this process, ends with code 2 and a message. */
  const expectRefusal = async (words: readonly string[], message: string) => {
    process.argv = [...argv.slice(0, 2), ...words]
    const program = new URL(`scripts/mutation.mjs?${words}`, root).href
    await expect(import(/* @vite-ignore */ program)).rejects.toThrow('exit 2')
    expect(print.mock.lastCall).toEqual([message])
  }
  for (const word of ['nonsense', 'src/main.ts', 'src/contract/nonsense.ts', 'src/contracts'])
    await expectRefusal([word], `"${word}" is neither an area (contract, stream, history) nor a file in one`)
  await expectRefusal(['contract', '--concurrency', '0'], '--concurrency must be 1 to 99, got 0')
})
