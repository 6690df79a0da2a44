import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The commands of every `sh` block of docs/add-an-indicator.md, in their order. */
const commands = [
  ...readFileSync(join(root, 'docs', 'add-an-indicator.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms),
].flatMap(([, block = '']) => block.trim().split('\n'))
const [, name = ''] = /new:indicator (\w+)/.exec(commands[0] ?? '') ?? []

/** Folders of `src` that an indicator is calculated and described with. */
const sources = ['candles', 'catalogue', 'compute', 'contract', 'runtime', 'store']
/** Other files that these folders import, and files that provide the candles of the indicator's picture. */
const files = [
  'src/client/errors.ts',
  'src/client/types.ts',
  'src/markets/exchanges/channel.ts',
  'src/markets/exchanges/demo',
  'src/markets/exchanges/resample.ts',
  'src/markets/exchanges/source.ts',
]

/** Build output and other folders that git ignores. */
const built = /^(node_modules|build|dist)$/

/** Every file of a project, by its path, with its contents. */
function filesOf(project: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (built.test(path)) continue
      if (entry.isDirectory()) visit(path)
      else found.set(path, readFileSync(join(project, path), 'latin1'))
    }
  }
  visit('')
  return found
}

/** The files that are new, changed or gone. */
function changesOf(project: string, before: ReadonlyMap<string, string>): readonly string[] {
  const now = filesOf(project)
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter(path => before.get(path) !== now.get(path))
    .sort()
}

/**
 * A copy of the project without any indicator and without the parts that serve answers, so that its build has the new
 * indicator only. The kernels are optimized less, which needs half the time and yields the same bits.
 */
function createProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'candela-indicator-'))
  const folders = ['assembly', 'interface', 'scripts', 'test/laws', 'test/support', 'test/vectors', 'docs']
  for (const path of [...folders, ...files, ...sources.map(folder => `src/${folder}`)])
    cpSync(join(root, path), join(project, path), { recursive: true })
  for (const path of [
    'README.md',
    'bench/random.ts',
    'build/.exchanges',
    'build/exchanges.json',
    'package-lock.json',
    'package.json',
    'test/groups.mjs',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(root, path), join(project, path))
  const compiler = JSON.parse(readFileSync(join(root, 'asconfig.json'), 'utf8'))
  Object.assign(compiler.targets.release, { optimizeLevel: 1 })
  writeFileSync(join(project, 'asconfig.json'), JSON.stringify(compiler))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction')
  for (const category of readdirSync(join(project, 'assembly', 'kernels'))) {
    const kernels = join(project, 'assembly', 'kernels', category)
    rmSync(kernels, { recursive: true })
    mkdirSync(kernels)
  }
  const catalogue = join(project, 'src', 'catalogue')
  const families = readFileSync(join(catalogue, 'families.ts'), 'utf8').matchAll(
    /^import { (\w+) } from '\.\/([\w/-]+)\.js'$/gm,
  )
  for (const [, family, file] of families)
    writeFileSync(join(catalogue, `${file}.ts`), `export const ${family} = {\n}\n`)
  execFileSync(process.execPath, ['scripts/average-types.mjs'], { cwd: project })
  return project
}

describe('docs/add-an-indicator.md', { tags: ['packages'] }, () => {
  let project = ''
  let before: ReadonlyMap<string, string> = new Map()
  beforeAll(() => {
    project = createProject()
    before = filesOf(project)
  })
  const written = [
    `assembly/kernels/momentum/${name}.ts`,
    'src/catalogue/momentum/rates-of-change.ts',
    `test/vectors/definitions/${name}.js`,
  ]
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  it('names a new indicator first', () => {
    expect(name).not.toBe('')
    expect(commands.length).toBeGreaterThan(3)
  })

  // One after the other, because each needs the one before.
  it.each(commands)('%s', { timeout: 120_000 }, command => {
    const { status, stdout, stderr } = spawnSync(command, {
      cwd: project,
      encoding: 'utf8',
      shell: true,
      env: { ...process.env, NO_COLOR: '1' },
    })
    expect(status, `${stdout}${stderr}`).toBe(0)
    // With a filter that matches no test, vitest succeeds as well.
    if (command.includes('run kernel')) expect(stdout).toMatch(/Tests +\d{2,} passed/)
    if (command.includes('new:indicator')) expect(changesOf(project, before)).toEqual(written)
  })

  it('changes three files, and those that are generated', () => {
    const generated = ['README.md', 'docs/indicators.md', `test/vectors/${name}.json`]
    expect(changesOf(project, before)).toEqual([...written, ...generated].sort())
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toContain(
      '<!-- indicators -->1<!-- /indicators -->',
    )
  })

  it('names the families of a category, and begins new ones', () => {
    const create = (family: string) =>
      spawnSync(process.execPath, ['scripts/new-indicator.mjs', 'blockchange', '--family', family], {
        cwd: project,
        encoding: 'utf8',
      })
    const refused = create('chart')
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('families of chart: harmonic-patterns, line-patterns, reversal-patterns')
    const written = create('chart/block-patterns')
    expect(written.status, written.stderr).toBe(0)
    const text = (file: string) => readFileSync(join(project, 'src', 'catalogue', file), 'utf8')
    expect(text('chart/block-patterns.ts')).toContain('blockchange: indicator({')
    expect(text('families.ts')).toContain('    ...blockPatterns,\n')
  })

  it('writes the vector and the documentation of the new indicator', () => {
    expect(readFileSync(join(project, 'test', 'vectors', `${name}.json`), 'utf8')).toContain('"cases"')
    expect(readFileSync(join(project, 'docs', 'indicators.md'), 'utf8')).toContain(`\`${name}\``)
    const program = `import { indicatorPages } from './scripts/reference/indicators.mjs'
      console.log(JSON.stringify([...indicatorPages()]))`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    })
    expect(stderr).toBe('')
    const pages = new Map<string, string>(JSON.parse(stdout))
    expect([...pages.values()].filter(text => text.includes(`## ${name}\n`))).toHaveLength(1)
    expect(pages.get(`indicators/pictures/${name}.svg`)).toContain(`<title>${name} over`)
  })
})
