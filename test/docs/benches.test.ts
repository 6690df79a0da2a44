import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Benches that this test does not run, with the reason. */
const elsewhere = {
  crash: 'it runs test/service/crash.test.ts',
  sharing: 'it needs redis-server and half a minute',
  cluster: 'it needs redis-server; test/unit/tools/cluster-model.test.ts calculates with its figures',
}

/** The names in the table of bench/run.ts. */
const benches = [
  ...(/^const benches[^{]*\{\n(.*?)^\}/ms
    .exec(readFileSync(`${root}bench/run.ts`, 'utf8'))?.[1]
    ?.matchAll(/^ {2}(\w+)(?::|,)/gm) ?? []),
].map(([, name]) => name as string)
const here = benches.filter(name => !Object.hasOwn(elsewhere, name))

/** The functions that bench/run.ts imports, with their modules. */
const functions = [
  ...readFileSync(`${root}bench/run.ts`, 'utf8').matchAll(
    /^import { (bench\w+) } from '\.\/([\w/-]+)\.js'$/gm,
  ),
].map(([, name, path]) => [name as string, path as string] as const)

it('every bench is a function of its module', async () => {
  expect(functions.length).toBeGreaterThanOrEqual(benches.length)
  for (const [name, path] of functions)
    expect((await import(`${root}bench/${path}.ts`))[name], path).toBeTypeOf('function')
})

it('every bench runs', { tags: ['benches'], timeout: 180_000 }, () => {
  expect(benches).toEqual(expect.arrayContaining([...Object.keys(elsewhere), 'http', 'kernels']))
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'bench', '--', '--smoke', ...here], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  expect(status, `${stdout}${stderr}`).toBe(0)
  // Each bench prints its name, then a table.
  const printed = stdout.split(/^(\w+)$/m)
  for (const name of here) expect(printed[printed.indexOf(name) + 1], name).toMatch(/│ \(index\)/)
})

it('figures of a smoke run are neither recorded nor compared', { tags: ['benches'] }, () => {
  for (const option of ['--write-baseline', '--write-document', 'compare']) {
    const args = ['run', 'bench', '--', ...(option === 'compare' ? [option, '--smoke'] : ['--smoke', option])]
    const { status, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('neither recorded nor compared')
  }
})
