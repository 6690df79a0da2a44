import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { type Binance, ccxtOptions, defaultMarkets, startBinance } from '../support/binance.js'
import { type Outcome, runCommand } from '../support/command-line.js'
import {
  type Command,
  codeBlocksOf,
  commandsOf,
  documentAt,
  documents,
  inlineCodeOf,
  matchesReply,
  root,
} from '../support/documents.js'
import { firstLinesOf } from '../support/node-program.js'
import { bash } from '../support/shell.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'
import { zipOf } from '../support/zip.js'

/** The moment of the documented replies: half an hour after the open of their candle. */
const documented = 1_763_683_200 + 1800

/** Each command once, wherever it stands first. */
function commandsThat(test: (text: string) => boolean): readonly Command[] {
  const seen = new Map<string, Command>()
  for (const command of documents.flatMap(commandsOf)) {
    const known = seen.get(command.text)
    if (test(command.text) && (known === undefined || (known.reply === undefined && command.reply)))
      seen.set(command.text, command)
  }
  return [...seen.values()]
}

/** A request for an answer that is not JSON. */
const isTable = /format=(csv|ndjson)|x-ndjson/
const isCurl = (text: string) => text.startsWith('curl ')
const isCandela = (text: string) => text.startsWith('npx candela-ta ')
/** Commands that other tests run. */
const runElsewhere: readonly string[] = [
  // past.test.ts
  'npx candela-ta exchanges --check',
  // migrate.test.ts
  'npx candela-ta migrate ./data redis://127.0.0.1:6379',
  // start.test.ts and package.test.ts: it runs until it is ended.
  'npx candela-ta serve',
  // backup.test.ts
  'npx candela-ta backup /srv/backups/monday',
  'npx candela-ta restore /srv/backups/monday',
  'npx candela-ta backup /srv/backups/monday.tar.gz',
  'npx candela-ta restore /srv/backups/monday.tar.gz',
  // health.test.ts
  'npx candela-ta health --ready',
]

describe('requests of the documents', () => {
  let service: TestService
  beforeAll(async () => {
    let seconds = midnight
    const demo = createDemoSource(() => seconds)
    const market: Source = {
      symbols: () => ['AAPL', 'BTCUSDT', 'ETHBTC', 'ETHUSDT'],
      candles: async (_, timeframe, count, options) => demo.candles('BTCUSDT', timeframe, count, options),
    }
    service = await startTestService({}, { binance: market, stocks: market })
    service.pass(documented - midnight)
    seconds = documented
  })
  /** Folder for the files that requests write. */
  const folder = mkdtempSync(join(tmpdir(), 'candela-documents-'))
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The status and the body. */
  async function curl(text: string) {
    const script = `curl() { command curl --silent --show-error --write-out '\\n%{http_code}' "$@"; }\n${text}`
    const command = script.replaceAll(/http:\/\/(127\.0\.0\.1|localhost):8080/g, service.url)
    const { code, out, err } = await bash(command, folder, { KEY: 'many', ADMIN_KEY: 'admin' })
    if (code !== 0) throw new Error(err)
    const at = out.lastIndexOf('\n')
    return { status: Number(out.slice(at + 1)), body: out.slice(0, at) }
  }

  it.each(commandsThat(isCurl).map(command => [command.place, command] as const))(
    '%s is answered as it says',
    async (_, { text, reply }) => {
      let answer = await curl(text)
      for (let tries = 0; answer.status === 202 && tries < 50; tries++) answer = await curl(text)
      const isRefused = reply?.startsWith('{"error"')
      expect(Math.floor(answer.status / 100), answer.body).toBe(isRefused ? 4 : 2)
      if (!isTable.test(text)) expect(() => JSON.parse(answer.body)).not.toThrow()
      if (reply !== undefined)
        expect(matchesReply(reply, answer.body), `documented: ${reply}\nanswered: ${answer.body}`).toBe(true)
    },
  )

  it('of programs print what they say', async () => {
    const blocks = documents.flatMap(codeBlocksOf).filter(({ language }) => language === 'js')
    const program = blocks.find(({ code }) => code.includes('/streaming'))?.code ?? ''
    const replies = [...program.matchAll(/^\/\/ ([{[].*)$/gm)].map(match => match[1] as string)
    expect(replies).toHaveLength(2)
    const { lines, errors } = await firstLinesOf(
      program.replace('127.0.0.1:8080', new URL(service.url).host),
      { PATH: process.env.PATH, KEY: 'many' },
      replies.length,
    )
    for (const [at, reply] of replies.entries())
      expect(
        matchesReply(reply, lines[at] ?? ''),
        `documented: ${reply}\nprinted: ${lines[at]}${errors}`,
      ).toBe(true)
  })
})

describe('commands of candela in the documents', () => {
  let binance: Binance
  let directory: string
  let id: string
  const settings = () => ({
    DATA_DIR: join(directory, 'data'),
    EXCHANGES: JSON.stringify({ binance: { ...ccxtOptions(binance.url), rateLimit: 1 } }),
  })
  /** Runs a command in this process with the words that bash reads, and with the file of its standard input. */
  async function run(script: string): Promise<Outcome> {
    const { out } = await bash(`candela() { printf '%s\\0' "$@"; }\n${script}`, directory, {})
    const input = /< (\S+\.csv)$/.exec(script)?.[1]
    return runCommand(
      out.split('\0').slice(0, -1),
      settings(),
      input && readFileSync(join(directory, input), 'utf8'),
    )
  }

  beforeAll(async () => {
    // A backfill has two pages.
    const listed = Date.now() - 60 * 86_400_000
    binance = await startBinance({ markets: defaultMarkets.map(market => ({ ...market, listed })) })
    directory = mkdtempSync(join(tmpdir(), 'candela-commands-'))
    process.chdir(directory)
    const row = (hour: number, scale: number) =>
      `${scale * (Date.UTC(2026, 0, 1, hour) / 1000)},100,101,99,100.5,10`
    const hours = (count: number) => Array.from({ length: count }, (_, hour) => row(hour, 1)).join('\n')
    const lines = (scale: number) => [0, 1, 2].map(hour => row(hour, scale)).join('\n')
    writeFileSync(
      join(directory, 'BTCUSDT-1h-2026-01.zip'),
      zipOf({ 'BTCUSDT-1h-2026-01.csv': `${lines(1000)}\n` }),
    )
    writeFileSync(join(directory, 'candles.csv'), `timestamp,open,high,low,close,volume\n${hours(300)}\n`)
    const month = Array.from(
      { length: 30 },
      (_, i) => `${String(i + 1).padStart(2, '0')}/04/2024;1,5;2,5;1,5;2;7\n`,
    )
    writeFileSync(join(directory, 'prices.csv'), `Date;Open;High;Low;Last;Shares\n${month.join('')}`)
    writeFileSync(join(directory, 'mine.csv'), `timestamp,open,high,low,close,volume\n${lines(1)}\n`)
    writeFileSync(join(directory, 'script.pine'), '//@version=6\nindicator("RSI")\nplot(ta.rsi(close, 14))\n')
    mkdirSync(join(directory, 'data'))
    await run('candela keys create --plan pro --name documents')
    id = JSON.parse((await run('candela keys list --json')).out).at(0).id
  })
  afterAll(async () => {
    await binance.close()
    process.chdir(root)
    rmSync(directory, { recursive: true, force: true })
  })

  const commands = commandsThat(text => isCandela(text) && !runElsewhere.includes(text))
  // The commands build on each other, as in a document: data is imported, then exported.
  it.each(commands.map(command => [command.place, command] as const))('%s works', async (_, { text }) => {
    const script = text.replace('npx candela-ta', 'candela').replace('<id>', id)
    const { code, err } = await run(script)
    expect(code, `${text}\n${err}`).toBe(0)
    const written = /--out (\S+)/.exec(text)?.[1]
    if (written) expect(readFileSync(join(directory, written), 'utf8').split('\n').length).toBeGreaterThan(3)
  })
})

describe('other commands of the documents', () => {
  const { name, scripts, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string
    scripts: Record<string, string>
    devDependencies: Record<string, string>
  }
  let subcommands: readonly string[]
  beforeAll(async () => {
    const { out } = await runCommand(['--help'])
    subcommands = [...out.matchAll(/^ {2}([a-z]+)( |$)/gm)].map(match => match[1] as string)
  })
  const listed = readFileSync(join(root, 'bench', 'run.ts'), 'utf8').matchAll(/^ {2}(\w+): /gm)
  const benches = ['compare', ...[...listed].map(match => match[1] as string)]
  /** Programs that are not run here: of their commands, the files and the names of this project are checked. */
  const programs = [
    'bash',
    'candela',
    'cd',
    'cp',
    'docker',
    'git',
    'journalctl',
    'nginx',
    'openssl',
    'pip',
    'python3',
    'systemctl',
  ]
  const folders = ['.ci', 'assembly', 'bench', 'deploy', 'docs', 'dist', 'examples', 'scripts', 'src', 'test']

  /** Programs that packages of the project bring under the names of their packages. */
  const packagePrograms = ['vitest']

  /** Names of packages in a text that npx or npm would fetch from the registry and that do not belong to this project. */
  function foreignPackages(text: string): readonly string[] {
    const fetched = [
      ...text.matchAll(/\bnpx (?:(?:-y|--yes|--package) )*([\w@/.-]+)/g),
      ...text.matchAll(/\bnpm (?:i|install|add|exec) (?:(?:-g|--global|--yes|--) )*([\w@/:.-]+)/g),
    ].map(([, specifier = '']) => specifier.replace(/(?<=.)@.*/, ''))
    return fetched.filter(
      specifier =>
        specifier !== name &&
        // A package of the running service.
        !specifier.startsWith('http://127.0.0.1:8080/packages/') &&
        !packagePrograms.includes(specifier) &&
        !(specifier in devDependencies),
    )
  }

  /** Faults of a command: files, scripts and subcommands that do not exist. */
  function faultsOf(text: string, folder: string): readonly string[] {
    const faults: string[] = []
    const words = text
      .replace(/^sudo /, '')
      .replaceAll(/\s#\s.*$/gm, '')
      .split(/\s+/)
    const [program = '', name = ''] = words
    const isFunction = /^\w+\(\) \{/.test(text)
    if (program === 'npm') faults.push(...npmFaults(words))
    else if (program === 'node') {
      if (![folder, ''].some(from => existsSync(join(root, from, name)))) faults.push(`there is no ${name}`)
    } else if (!isFunction && !/^[A-Z_]+=/.test(program) && !isCandela(text) && !isCurl(text)) {
      if (!programs.includes(program)) faults.push(`${program} is not known`)
    }
    for (const [, subcommand = ''] of text.matchAll(/(?:^|npx |\bcandela )candela(?:-ta)? ([a-z]+)/g)) {
      if (!subcommands.includes(subcommand)) faults.push(`candela has no command ${subcommand}`)
    }
    for (const word of words.filter(
      each => folders.includes(each.split('/')[0] ?? '') && each.includes('/'),
    )) {
      if (!existsSync(join(root, word)) && !existsSync(join(root, folder, word)))
        faults.push(`there is no ${word}`)
    }
    return faults
  }

  function npmFaults([, verb = '', script = '', separator, option]: readonly string[]): readonly string[] {
    if (['ci', 'i', 'install', 'pack'].includes(verb)) return []
    const wanted = verb === 'run' ? script : verb
    if (!Object.hasOwn(scripts, wanted)) return [`there is no script ${wanted}`]
    return wanted === 'bench' &&
      separator === '--' &&
      option &&
      /^\w/.test(option) &&
      !benches.includes(option)
      ? [`there is no bench ${option}`]
      : []
  }

  it('name only files, scripts and commands that exist', () => {
    expect(subcommands).toEqual(expect.arrayContaining(['serve', 'keys', 'import']))
    expect(benches).toEqual(expect.arrayContaining(['kernels', 'crash']))
    // These create the files that they name; test/add-an-indicator.test.ts runs them.
    const elsewhere = documentAt('docs/add-an-indicator.md')
    const faults = documents
      .filter(document => document !== elsewhere)
      .flatMap(document => {
        const folder = document.path.split('/').slice(0, -1).join('/')
        const inline = inlineCodeOf(document)
          .filter(code => /^(npm (run|start|test)|npx candela-ta [a-z])/.test(code))
          .map(text => ({ place: document.path, text }))
        return [...commandsOf(document), ...inline].flatMap(({ place, text }) =>
          faultsOf(text, folder).map(fault => `${place}: ${text}: ${fault}`),
        )
      })
    expect(faults).toEqual([])
  })

  it('fetch no package of another name', () => {
    const texts = [
      ...documents,
      ...['page/controls/notice.ts', 'scripts/reference/exchanges.mjs'].map(path => ({
        path,
        text: readFileSync(join(root, path), 'utf8'),
      })),
    ]
    const found = texts
      .filter(({ path }) => !path.startsWith('bench/peers/'))
      .flatMap(({ path, text }) => foreignPackages(text).map(specifier => `${path}: ${specifier}`))
    expect(found).toEqual([])
    const configured = [...documentAt('docs/mcp.md').text.matchAll(/"command": "npx",\s+"args": \[(.*?)\]/g)]
    expect(configured.map(([, args]) => args)).toEqual([`"-y", "${name}", "mcp"`])
    expect(foreignPackages('npx candela serve')).toEqual(['candela'])
    expect(foreignPackages('npx --yes tsc -p .; npx candela-ta@1 mcp')).toEqual(['tsc'])
    expect(foreignPackages('npm install --global candela')).toEqual(['candela'])
    expect(foreignPackages('npm i http://127.0.0.1:80/candela.tgz')).toEqual([
      'http://127.0.0.1:80/candela.tgz',
    ])
  })

  it('are reported when they name something else', () => {
    expect(faultsOf('npm run nothing', '')).toEqual(['there is no script nothing'])
    expect(faultsOf('npm run bench -- nothing', '')).toEqual(['there is no bench nothing'])
    expect(faultsOf('node dist/no.js', '')).toEqual(['there is no dist/no.js', 'there is no dist/no.js'])
    expect(faultsOf('sudo cp deploy/no.conf /etc', '')).toEqual(['there is no deploy/no.conf'])
    expect(faultsOf('docker exec candela candela nothing', '')).toEqual(['candela has no command nothing'])
    expect(faultsOf('npx candela-ta nothing', '')).toEqual(['candela has no command nothing'])
    expect(faultsOf('unknown program', '')).toEqual(['unknown is not known'])
  })
})
