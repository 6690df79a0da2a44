import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/catalogue/index.js'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const tsc = at('node_modules/typescript/bin/tsc')
const declarations = readFileSync(at('build/kernels.d.ts'), 'utf8')
const someKernel = [...catalogue.values()][0]?.kernel as string

let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'candela-kernel-names-'))
  cpSync(at('src/catalogue'), join(project, 'src/catalogue'), { recursive: true })
  // Module that the catalogue imports.
  cpSync(at('src/runtime/once.ts'), join(project, 'src/runtime/once.ts'))
  mkdirSync(join(project, 'build'))
  cpSync(at('build/json-types.d.ts'), join(project, 'build/json-types.d.ts'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  // Incremental, so that each later compilation checks only code that depends on the change.
  const options = {
    noEmit: true,
    rootDir: '.',
    types: [],
    incremental: true,
    tsBuildInfoFile: 'build/info.json',
  }
  const config = { extends: at('tsconfig.json'), compilerOptions: options, include: ['src'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
})

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

/** The compiler's output about the catalogue with these kernels and, if given, one more file. */
function compile(kernels: string, extra = 'export {}\n'): string {
  writeFileSync(join(project, 'build/kernels.d.ts'), kernels)
  writeFileSync(join(project, 'src/catalogue/extra.ts'), extra)
  const { stdout, stderr, error } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  if (error) throw error
  return stdout + stderr
}

const withKernel = (name: string) =>
  declarations.replace('interface Kernels {', `interface Kernels {\n  ${name}: Kernel`)
const withoutKernel = (name: string) => declarations.replace(new RegExp(`^ *${name}: Kernel\\n`, 'm'), '')

const entry = (lookback: string, state: string) =>
  `import { choice, indicator, period } from './define.js'
export const extra = indicator({
  title: 'Extra',
  description: 'One more.',
  related: [],
  inputs: ['close'],
  params: { period: period(14), kind: choice('plain', 'fancy') },
  outputs: ['value'],
  lookback: p => ${lookback},
  state: p => ${state},
  memory: 'finite',
})
`

// Each compiles the catalogue. The build does as well.
describe('the types of the catalogue', { tags: ['kernels'] }, () => {
  it('compile for the catalogue and the kernels', () => {
    expect(compile(declarations)).toBe('')
  })

  it('report an entry without a kernel', () => {
    const errors = compile(withoutKernel(someKernel))
    expect(errors).toContain('src/catalogue/kernel-names.ts')
    expect(errors).toContain(`'"${someKernel}"' does not satisfy the constraint 'never'`)
  })

  it('report a kernel without an entry', () => {
    for (const name of ['unknown', '_9unknown']) {
      const errors = compile(withKernel(name))
      expect(errors).toContain('src/catalogue/kernel-names.ts')
      expect(errors).toContain(`'"${name}"' does not satisfy the constraint 'never'`)
    }
  })

  it('let the functions of an entry use its own parameters', () => {
    expect(compile(declarations, entry('p.period - 1', "p.kind === 'fancy' ? 2 : 1"))).toBe('')
  })

  it('refuse misspelled parameters, and a comparison with a choice that is not offered', () => {
    const errors = compile(declarations, entry('p.perod - 1', "p.perid + (p.kind === 'fency' ? 2 : 1)"))
    expect(errors).toMatch(/src\/catalogue\/extra\.ts.*'perod' does not exist/)
    expect(errors).toMatch(/src\/catalogue\/extra\.ts.*'perid' does not exist/)
    expect(errors).toMatch(/src\/catalogue\/extra\.ts.*no overlap/)
  })
})
