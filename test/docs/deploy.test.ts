import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Service } from '../../src/operate/service.js'
import { readConfig, settings } from '../../src/operate/settings/config.js'
import { codeBlocksOf, documents, root } from '../support/documents.js'
import { needs } from '../support/needs.js'
import { freePort } from '../support/service-process.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const known = new Set(settings.map(({ name }) => name))
/** The names of variables that are no settings of the service. */
const unknownOf = (names: Iterable<string>) =>
  [...names].filter(name => name !== 'NODE_ENV' && !known.has(name))

describe('Dockerfile', () => {
  const text = read('Dockerfile')
  const instructions = [...text.replaceAll('\\\n', ' ').matchAll(/^([A-Z]+) +(.*)$/gm)].map(
    ([, name, rest]) => [name as string, rest as string] as const,
  )
  const all = (name: string) => instructions.filter(([each]) => each === name).map(([, rest]) => rest)

  it('has no fault that a linter knows', () => {
    expect(validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([])
    expect(validate('FROM node\nRUNN x\n'), 'the linter finds something').not.toEqual([])
  })

  it('sets only settings that exist', () => {
    const names = all('ENV').flatMap(each => each.match(/\b[A-Z_]+(?==)/g) ?? [])
    expect(names).toContain('DATA_DIR')
    expect(unknownOf(names)).toEqual([])
  })

  it('runs the service as a user by number that is not root, on a port that it shows, with a health check', () => {
    expect(all('USER')).toEqual(['1000:1000'])
    expect(all('VOLUME')).toEqual(['["/data"]'])
    expect(all('EXPOSE')).toEqual([settings.find(({ name }) => name === 'PORT')?.default])
    expect(all('CMD')).toEqual(['["node", "dist/main.js"]'])
    expect(all('HEALTHCHECK')[0]).toMatch(/CMD \["node", "dist\/cli\/candela.js", "health"\]$/)
    for (const [, file = ''] of text.matchAll(/"(dist\/[^"]+)"|node (scripts\/\S+)/g)) {
      if (file) expect(existsSync(join(root, file)), file).toBe(true)
    }
  })

  it('is built from everything that the build reads', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
    const isIgnored = (path: string) =>
      ignored.some(pattern =>
        new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`).test(path),
      )
    const inputs = [...read('scripts/setup.mjs').matchAll(/(?:\bat\(|files\()'([\w./-]+)'/g)]
      .map(match => match[1] as string)
      .filter(name => !['node_modules', 'build', 'dist', 'bench'].includes(name))
    expect(inputs).toEqual(expect.arrayContaining(['assembly', 'src', 'package-lock.json', 'tsconfig.json']))
    expect(inputs.filter(isIgnored)).toEqual([])
    expect(['node_modules', 'data', '.git', 'test', 'docs/adr'].filter(path => !isIgnored(path))).toEqual([])
  })
})

describe('scripts/trim-modules.mjs', () => {
  it('removes what is never loaded on this platform, and nothing else', () => {
    const modules = mkdtempSync(join(tmpdir(), 'candela-modules-'))
    const { platform, arch, versions } = process
    const kept = [
      `uWebSockets.js/dist/bin/uws_${platform}_${arch}_${versions.modules}.node`,
      'uWebSockets.js/dist/index.mjs',
      'ccxt/js/ccxt.js',
      'other/dist/index.js',
      'other/data.map',
    ]
    const unneeded = [
      'uWebSockets.js/dist/bin/uws_other_x64_127.node',
      'binaryen/bin/wasm-opt',
      'ccxt/dist/cjs/ccxt.cjs',
    ]
    const unneededByService = [
      `uWebSockets.js/dist/bin/uws_${platform}_${arch}_1.node`,
      'other/dist/index.d.ts',
      'other/dist/index.d.mts',
      'other/dist/index.js.map',
    ]
    for (const path of [...kept, ...unneededByService, ...unneeded]) {
      mkdirSync(dirname(join(modules, path)), { recursive: true })
      writeFileSync(join(modules, path), '')
    }
    try {
      const trim = (...options: string[]) => {
        execFileSync(process.execPath, [join(root, 'scripts/trim-modules.mjs'), modules, ...options])
        return [...kept, ...unneededByService, ...unneeded].filter(path => existsSync(join(modules, path)))
      }
      expect(trim('--for-builds'), 'what builds and tests load').toEqual([...kept, ...unneededByService])
      expect(trim(), 'what a service loads').toEqual(kept)
    } finally {
      rmSync(modules, { recursive: true })
    }
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = parseYaml(read('compose.yaml'))
  const { candela } = services

  it('sets only settings that exist', () => {
    expect(unknownOf(Object.keys(candela.environment))).toEqual([])
  })

  it('gives the service a volume and nothing else to write to, and no privileges', () => {
    expect(candela).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['candela-data:/data'],
      ports: ['127.0.0.1:8080:8080'],
    })
    expect(Object.keys(volumes)).toEqual(['candela-data'])
  })

  it('leaves more time for stopping than the service takes', () => {
    const secondsOf = (wanted: string) => Number(settings.find(({ name }) => name === wanted)?.default)
    const seconds = secondsOf('DRAIN_SECONDS') + secondsOf('SHUTDOWN_SECONDS')
    expect(Number.parseInt(candela.stop_grace_period, 10)).toBeGreaterThan(seconds + 1)
  })
})

describe('deploy/compose.shared.yaml', () => {
  const { services, volumes } = parseYaml(read('deploy/compose.shared.yaml'))
  const balancer = read('deploy/nginx-balancer.conf')
  const nodes = Object.keys(services).filter(name => name.startsWith('node-'))

  it('runs nodes that keep nothing of their own, with settings that exist and a store that there is', () => {
    expect(nodes).toEqual(['node-1', 'node-2'])
    for (const name of nodes) {
      const { environment, ...node } = services[name]
      expect(unknownOf(Object.keys(environment))).toEqual([])
      expect(readConfig(environment).store).toMatchObject({ endpoints: [{ host: 'store', port: 6379 }] })
      expect(node).toMatchObject({
        build: '..',
        read_only: true,
        cap_drop: ['ALL'],
        tmpfs: ['/tmp', '/data'],
        depends_on: { store: { condition: 'service_healthy' } },
      })
      expect(node.volumes).toBeUndefined()
    }
    expect(services.store.command).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/)
    expect(services.store.volumes).toEqual(['store-data:/data'])
    expect(Object.keys(volumes)).toEqual(['store-data'])
  })

  it('has a balancer in front of exactly these nodes, which is all that can be reached', () => {
    const servers = [...balancer.matchAll(/^ +server (\S+):8080 /gm)].map(match => match[1])
    expect(servers).toEqual(nodes)
    expect(services.balancer.volumes[0].split(':')[0]).toBe('./nginx-balancer.conf')
    const published = Object.entries<{ ports?: string[] }>(services).flatMap(([name, { ports = [] }]) =>
      ports.map(port => `${name} ${port}`),
    )
    expect(published).toEqual(['balancer 127.0.0.1:8080:80'])
  })
})

const analyze = (...options: string[]) => spawnSync('systemd-analyze', options, { encoding: 'utf8' })
const hasSystemd = analyze('--version').status === 0

describe('deploy/candela.service', () => {
  const text = read('deploy/candela.service')

  it('sets only settings that exist', () => {
    const names = [...text.matchAll(/^Environment=(\w+)=/gm)].map(match => match[1] as string)
    expect(names).toContain('DATA_DIR')
    expect(unknownOf(names)).toEqual([])
    expect(text).toContain('ExecStart=/usr/bin/node /opt/candela/dist/main.js')
  })

  it.skipIf(!hasSystemd)(
    'is understood by systemd, which finds it hardly exposed',
    needs('systemd-analyze'),
    () => {
      const directory = mkdtempSync(join(tmpdir(), 'candela-unit-'))
      const unit = join(directory, 'candela.service')
      // Here the programs are elsewhere.
      const here = text.replaceAll('/usr/bin/node', process.execPath).replaceAll('/opt/candela', root)
      try {
        writeFileSync(unit, here)
        const verified = analyze('verify', '--man=no', unit)
        expect({ status: verified.status, stderr: verified.stderr }).toEqual({ status: 0, stderr: '' })
        const security = analyze('security', '--offline=true', '--threshold=20', unit)
        expect(security.status, security.stdout).toBe(0)
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    },
  )
})

describe('deploy/grafana-dashboard.json', () => {
  interface Panel {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets?: readonly { readonly expr: string }[]
  }
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    panels: readonly Panel[]
    templating: { list: readonly { query: string | { query: string } }[] }
  }
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query)),
  ]
  /** The metrics of an expression: names that are followed by labels, a range or a comma. */
  const metricsOf = (expression: string) =>
    [...expression.matchAll(/\b((?:candela|process|nodejs)_\w+?)(?:_bucket|_count|_sum)?(?=\W|$)/g)].map(
      match => match[1] as string,
    )

  it('shows only metrics that the service has, and all of its own', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'candela-metrics-'))
    const metricsPort = await freePort()
    const config = readConfig({ PORT: '0', DATA_DIR: directory, METRICS_PORT: String(metricsPort) })
    const service = new Service(config, { log: { info() {}, warn() {}, error() {} } })
    await service.start()
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    await service.close()
    rmSync(directory, { recursive: true })
    const types = new Map([...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]))
    const shown = new Set(expressions.flatMap(metricsOf))
    expect(shown.size).toBeGreaterThan(15)
    expect([...shown].filter(name => !types.has(name))).toEqual([])
    const own = [...types.keys()].filter(name => name?.startsWith('candela_'))
    const isCount = (name: string) => types.get(name) === 'counter' || types.get(name) === 'histogram'
    expect(own.filter(name => !shown.has(name as string))).toEqual([])
    for (const expression of expressions) {
      for (const name of metricsOf(expression)) {
        const isRate = new RegExp(`(rate|increase)\\(${name}(_bucket|_count|_sum)?\\b`).test(expression)
        const isLabel = expression.startsWith('label_values(')
        expect(isLabel || isRate === isCount(name), `${expression}: ${types.get(name)}`).toBe(true)
      }
    }
  })

  it('has panels of their own, which do not overlap', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const overlaps = panels.flatMap((a, at) =>
      panels
        .slice(at + 1)
        .filter(
          b =>
            a.gridPos.x < b.gridPos.x + b.gridPos.w &&
            b.gridPos.x < a.gridPos.x + a.gridPos.w &&
            a.gridPos.y < b.gridPos.y + b.gridPos.h &&
            b.gridPos.y < a.gridPos.y + a.gridPos.h,
        )
        .map(b => `${a.title} and ${b.title}`),
    )
    expect(overlaps).toEqual([])
  })
})

describe('data in the documents', () => {
  const blocks = documents.flatMap(document =>
    codeBlocksOf(document).map(block => ({ ...block, ...document })),
  )

  it('is well-formed YAML or JSON where it says so', () => {
    const yaml = blocks.filter(({ language }) => language === 'yaml')
    expect(yaml.length).toBeGreaterThan(0)
    for (const { code } of yaml) expect(() => parseYaml(code)).not.toThrow()
    for (const { code } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(code)).not.toThrow()
  })
})

describe('the package', () => {
  const { files, bin, engines, name, devDependencies } = JSON.parse(read('package.json'))

  it('can have uWebSockets.js beside it, in the version that is tested', () => {
    expect(read('docs/deploying.md')).toContain(
      `npm install --global uWebSockets.js@${devDependencies['uWebSockets.js']}\n`,
    )
  })

  it('contains what the service needs when it runs, and neither tests nor sources', {
    tags: ['packages'],
  }, () => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    const paths: string[] = packed.files.map(({ path }: { path: string }) => path)
    expect(name).toBe('candela-ta')
    expect(files).toBeDefined()
    expect(engines.node).toMatch(/\d/)
    expect(paths).toEqual(
      expect.arrayContaining([
        ...Object.values(bin as Record<string, string>),
        'dist/main.js',
        'dist/operate/compute-thread.js',
        'dist/markets/exchanges/worker/worker.js',
        'dist/licences.txt',
        'build/kernels.wasm',
        'build/exchanges.json',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
      ]),
    )
    const unneeded =
      /^(test|src|assembly|bench|node_modules|data|\.ci)\/|\.debug\.wasm$|\.stamp$|\.map$|^(dist|build)\/\./
    // Files that tests and benches leave in the folder of the build.
    const left = /^build\/(examples|bench|kernel\/|mutation|nodes|test-results\.json|load\.svg)/
    expect(paths.filter(path => unneeded.test(path) || left.test(path))).toEqual([])
  })
})
