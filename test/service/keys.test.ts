import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashOf, idOf } from '../../src/contract/account.js'
import { daysUntil, type describeAccount } from '../../src/contract/accounts.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { type Outcome, runCommand } from '../support/command-line.js'

const dist = new URL('../../dist/', import.meta.url)
const cli = fileURLToPath(new URL('cli/candela.js', dist))
/** A built module as the text of a program that imports it. */
const moduleAt = (path: string) => JSON.stringify(new URL(path, dist).href)

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a command in this process, on the directory of the test. */
const candela = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runCommand(words, { DATA_DIR: directory, ...environment })

/** Runs a command in a process of its own, on the directory of the test. */
const candelaApart = (words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Outcome> =>
  new Promise(resolve => {
    const env = { PATH: process.env.PATH, DATA_DIR: directory, ...environment }
    const child = execFile(process.execPath, [cli, ...words], { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

const creation = ['keys', 'create', '--plan', 'pro', '--name', 'me'] as const
const create = async (...words: string[]) => (await candela([...creation, ...words])).out.trim()
const createApart = async () => (await candelaApart(creation)).out.trim()

const listed = async (): Promise<ReturnType<typeof describeAccount>[]> =>
  JSON.parse((await candela(['keys', 'list', '--json'])).out)

describe('keys create', () => {
  test('prints only the key on standard output, and the account on standard error', async () => {
    const { code, out, err } = await candela(['keys', 'create', '--plan', 'expert', '--name', ' Jo & co '])
    expect(code).toBe(0)
    expect(out).toMatch(/^cnd_[A-Za-z0-9_-]{32}\n$/)
    const key = out.trim()
    expect(err).toContain(`Key ${idOf(hashOf(key))} for "Jo & co", plan expert`)
    expect(err).not.toContain(key)
    expect(await listed()).toMatchObject([
      {
        id: idOf(hashOf(key)),
        name: 'Jo & co',
        plan: 'expert',
        requests: 75,
        constructs: 10,
        subscriptions: 150,
      },
    ])
  })

  test('names the account by its plan and the day where no name is given', async () => {
    const { code, out } = await candela(['keys', 'create', '--plan', 'basic', '--json'])
    expect(code).toBe(0)
    const { key, ...account } = JSON.parse(out)
    expect(account.name).toMatch(/^basic \d{4}-\d\d-\d\d$/)
    expect(account.id).toBe(idOf(hashOf(key)))
    expect(await listed()).toEqual([account])
    const revoked = await candela(['keys', 'revoke', account.id, '--json'])
    expect(JSON.parse(revoked.out)).toMatchObject({ id: account.id, revoked: expect.any(Number) })
  })

  test('prints errors as JSON where that is asked for', async () => {
    const { code, out, err } = await candela(['keys', 'revoke', 'ffffffff', '--json'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toEqual({ error: 'No key with the id "ffffffff"' })
  })

  test('accepts other limits than those of the plan', async () => {
    await create('--requests', '100', '--constructs', '2', '--subscriptions', '7')
    expect(await listed()).toMatchObject([{ plan: 'pro', requests: 100, constructs: 2, subscriptions: 7 }])
  })

  test.each([
    [['--name', 'me'], "required option '--plan <plan>' not specified"],
    [['--plan', 'gold', '--name', 'me'], 'Allowed choices are free, basic, pro, expert, enterprise.'],
    [['--plan', 'pro', '--name', ' '], 'Expected 1 to 64 characters on one line.'],
    [['--plan', 'pro', '--name', 'a\nb'], 'Expected 1 to 64 characters on one line.'],
    [['--plan', 'pro', '--name', 'me', '--requests', '0'], 'Expected an integer of 1 or more.'],
    [['--plan', 'pro', '--name', 'me', '--constructs', '1.5'], 'Expected an integer of 1 or more.'],
    [['--plan', 'pro', '--name', 'me', '--constructs', '21'], 'Expected an integer from 1 to 20.'],
    [['--plan', 'pro', '--name', 'me', '--subscriptions', '-1'], 'Expected an integer of 1 or more.'],
    [['--plan', 'pro', '--name', 'me', '--requests', '9'.repeat(20)], 'Expected an integer of 1 or more.'],
  ])('%j is refused with exit code 2, and nothing is created', async (words, message) => {
    const { code, out, err } = await candela(['keys', 'create', ...words])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(existsSync(join(directory, 'accounts'))).toBe(false)
  })
})

describe('keys list', () => {
  test('prints how to create the first key when there is none', async () => {
    const { code, out, err } = await candela(['keys', 'list'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('candela keys create')
    expect(await listed()).toEqual([])
  })

  test('prints one line for each key, and no key', async () => {
    const keys = [await create(), await create('--requests', '31')]
    await candela(['keys', 'revoke', keys[1] ?? ''])
    const { out } = await candela(['keys', 'list'])
    const [head, ...rows] = out.trimEnd().split('\n')
    expect(head).toMatch(/^ID +NAME +PLAN +REQUESTS\/15S +CONSTRUCTS +SUBSCRIPTIONS +SCOPES +CREATED +STATE$/)
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
    const lineOf = (key: string, requests: number, state: string) =>
      expect.stringMatching(
        `^${idOf(hashOf(key))} +me +pro +${requests} +3 +30 +read,stream,alerts +${time} +${state}$`,
      )
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(lineOf(keys[0] ?? '', 30, 'active'))
    expect(rows).toContainEqual(lineOf(keys[1] ?? '', 31, `revoked ${time}`))
    for (const key of keys) expect(out).not.toContain(key)
  })
})

describe('keys update', () => {
  test('changes what is given, and says when the key ends', async () => {
    const id = idOf(hashOf(await create('--expires', '2099-01-31')))
    const { code, out } = await candela(['keys', 'update', id, '--plan', 'basic', '--requests', '9'])
    expect(code).toBe(0)
    expect(out).toBe(
      `Key ${id} for "me", plan basic: 9 requests per 15 seconds, 1 construct, 5 subscriptions; scopes read, stream, alerts; active until 2099-01-31 00:00:00\n`,
    )
    await candela(['keys', 'update', id, '--expires', '2020-01-01'])
    expect((await candela(['keys', 'list'])).out).toContain('expired 2020-01-01 00:00:00')
    await candela(['keys', 'update', id, '--expires', 'never', '--name', 'you'])
    const [account] = await listed()
    expect(account).toMatchObject({ id, name: 'you', plan: 'basic', requests: 9 })
    expect(account).not.toHaveProperty('expires')
  })

  test('is refused without a change and for an unknown key', async () => {
    const id = idOf(hashOf(await create()))
    expect((await candela(['keys', 'update', id])).err).toContain('Nothing to change')
    expect((await candela(['keys', 'update', 'ffffffff', '--name', 'x'])).err).toContain('No key with the id')
  })
})

describe('scopes', () => {
  test('are the usual ones, or those that are given, and can be changed', async () => {
    const { out, err } = await candela([...creation, '--scopes', 'admin, read', '--json'])
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({ scopes: ['read', 'admin'] })
    const key = await create()
    expect((await listed()).map(({ scopes }) => scopes)).toContainEqual(['read', 'stream', 'alerts'])
    const changed = await candela(['keys', 'update', key, '--scopes', 'read,stream'])
    expect(changed.out).toContain('; scopes read, stream; active')
    expect((await candela(['keys', 'update', key, '--scopes', 'read', '--json'])).out).toContain('"read"')
  })

  test.each(['', 'write', 'read,,stream', 'READ'])('"%s" is refused', async words => {
    const { code, err } = await candela([...creation, '--scopes', words])
    expect(code).toBe(2)
    expect(err).toContain('Expected some of read, stream, alerts, admin, as in read,stream.')
  })
})

describe('keys rotate', () => {
  test('prints a new key of the same account; the old one works until the overlap ends', async () => {
    const key = await create('--requests', '31')
    const id = idOf(hashOf(key))
    const { code, out, err } = await candela(['keys', 'rotate', 'me', '--overlap', '2h'])
    expect(code).toBe(0)
    expect(out).toMatch(/^cnd_[A-Za-z0-9_-]{32}\n$/)
    expect(err).toMatch(new RegExp(`^A new key of ${id} for "me"; those before it work until \\d{4}-.* UTC`))
    const [account] = await listed()
    const now = Date.now() / 1000
    expect(account).toMatchObject({ id, requests: 31 })
    const [before, present] = account?.keys ?? []
    expect([before, present]).toMatchObject([{ id }, { id: idOf(hashOf(out.trim())) }])
    expect(Math.abs((before?.ends ?? 0) - now - 7200)).toBeLessThan(60)
    expect(JSON.stringify(account)).not.toContain(hashOf(key).slice(0, 9))
    const again = await candela(['keys', 'rotate', out.trim(), '--overlap', '0', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ id, keys: [{ id }, {}, {}] })
    const revoked = await candela(['keys', 'revoke', JSON.parse(again.out).key])
    expect(revoked.out).toBe(`Key ${id} for "me" is revoked\n`)
    expect((await candela(['keys', 'rotate', id])).err).toBe(
      `candela: Key ${id} is revoked or has expired: create another one\n`,
    )
  })

  test('is refused where too many keys still work, and where several have the name', async () => {
    const id = idOf(hashOf(await create()))
    for (let at = 1; at < 10; at++) await candela(['keys', 'rotate', id])
    expect((await candela(['keys', 'rotate', id])).err).toBe(
      `candela: Key ${id} was replaced so often that 10 keys of it still work: wait until one has ended\n`,
    )
    await create()
    expect((await candela(['keys', 'rotate', 'me'])).err).toMatch(/^candela: Several keys are called "me": /)
  })

  test.each(['1', '24', '-1h', '367d', 'soon', '1.5h', '9999999999d'])(
    'an overlap of %s is refused',
    async text => {
      const { code, err } = await candela(['keys', 'rotate', 'me', '--overlap', text])
      expect(code).toBe(2)
      expect(err).toContain('Expected a time such as 90s, 30m, 24h or 7d, of at most 366 days')
    },
  )
})

describe('keys usage', () => {
  const [yesterday, today] = daysUntil(Date.now() / 1000, 2) as [string, string]
  const count = async (id: string, day: string, requests: Record<string, number>) => {
    const store = openEmbedded(directory)
    await store.usage.add(day, new Map([[id, requests]]))
    await store.close()
  }

  test('shows what each key asked for, the busiest first, and what one asked for by day', async () => {
    expect((await candela(['keys', 'usage'])).err).toBe('candela: No requests in these days.\n')
    expect((await candela(['keys', 'usage', '--json'])).out).toBe('[]\n')
    const ids = [idOf(hashOf(await create())), idOf(hashOf(await create('--plan', 'free', '--name', 'busy')))]
    const [quiet, busy] = ids as [string, string]
    await count(quiet, today, { bulk: 2 })
    await count(busy, yesterday, { indicator: 3, refused: 7 })
    await count(busy, today, { indicator: 4, candles: 5 })
    const table = await candela(['keys', 'usage'])
    expect(
      table.out
        .trimEnd()
        .split('\n')
        .map(line => line.split(/ {2,}/)),
    ).toEqual([
      ['ID', 'NAME', 'PLAN', 'REQUESTS', 'REFUSED', 'FOR'],
      [busy, 'busy', 'free', '12', '7', 'indicator 7, candles 5'],
      [quiet, 'me', 'pro', '2', '0', 'bulk 2'],
    ])
    const byDay = await candela(['keys', 'usage', 'busy', '--json'])
    expect(JSON.parse(byDay.out)).toEqual([
      { day: yesterday, requests: { indicator: 3, refused: 7 } },
      { day: today, requests: { indicator: 4, candles: 5 } },
    ])
    expect((await candela(['keys', 'usage', busy, '--days', '1'])).out).toContain(
      `${today}  9         0        candles 5`,
    )
    const csv = await candela(['keys', 'usage', '--csv'])
    expect(csv.out.split('\n')).toEqual([
      'day,id,plan,kind,requests',
      `${yesterday},${busy},free,indicator,3`,
      `${yesterday},${busy},free,refused,7`,
      ...[busy, quiet]
        .sort()
        .flatMap(id =>
          id === busy
            ? [`${today},${busy},free,indicator,4`, `${today},${busy},free,candles,5`]
            : [`${today},${quiet},pro,bulk,2`],
        ),
      '',
    ])
    expect((await candela(['keys', 'usage', '--days', '93'])).err).toContain('from 1 to 92')
  })
})

describe('keys revoke', () => {
  test.each([
    ['its id', (key: string) => idOf(hashOf(key))],
    ['its id in capitals', (key: string) => idOf(hashOf(key)).toUpperCase()],
    ['the beginning of its id', (key: string) => idOf(hashOf(key)).slice(0, 4)],
    ['the key itself', (key: string) => key],
  ])('accepts %s', async (_, wordFor) => {
    const key = await create()
    const { code, out } = await candela(['keys', 'revoke', wordFor(key)])
    expect({ code, out }).toEqual({ code: 0, out: `Key ${idOf(hashOf(key))} for "me" is revoked\n` })
    expect(await listed()).toMatchObject([{ revoked: expect.any(Number) }])
  })

  test('requires an id that names exactly one key', async () => {
    const store = openEmbedded(directory)
    const ids = ['abcd0000', 'abcd1111']
    for (const id of ids) {
      await store.accounts.add(id.padEnd(64, '0'), {
        id,
        name: 'same prefix',
        plan: 'free',
        requests: 1,
        constructs: 1,
        subscriptions: 1,
        created: 1,
      })
    }
    await store.close()
    const { code, err } = await candela(['keys', 'revoke', 'abcd'])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'candela: Several keys begin with "abcd": abcd0000, abcd1111\n',
    })
    expect((await listed()).map(({ revoked }) => revoked)).toEqual([undefined, undefined])
    expect((await candela(['keys', 'revoke', 'abcd0'])).code).toBe(0)
  })

  test.each([
    ['abc', 'Give at least 4 characters of the id, or a name: no key is called "abc"'],
    ['ffffffff', 'No key with the id "ffffffff"'],
    [`cnd_${'x'.repeat(32)}`, 'This key is not known'],
  ])('refuses %s with exit code 1', async (word, message) => {
    const { code, out, err } = await candela(['keys', 'revoke', word])
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `candela: ${message}\n` })
  })
})

test('each wrong setting is printed in one line, with exit code 1', async () => {
  const { code, err } = await candelaApart(['keys', 'list'], { PORT: 'x', LOG_LEVEL: 'y' })
  expect(code).toBe(1)
  expect(err.trimEnd().split('\n')).toEqual([
    'candela: PORT must be an integer from 0 to 65535, got "x"',
    expect.stringMatching(/^candela: LOG_LEVEL must be one of .*, got "y"$/),
  ])
})

test('a data directory that cannot be opened is reported in one line, with exit code 1', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const { code, out, err } = await candela(['keys', 'list'], { DATA_DIR: file })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^candela: Cannot open the data directory ".*file": .*\n$/)
})

describe('several processes with one data directory', () => {
  test('a key that another process creates or revokes is seen by the next read', async () => {
    const other = start(`
      import { createInterface } from 'node:readline'
      import { openEmbedded } from ${moduleAt('store/embedded/embedded.js')}
      import { issueKey, revokeKey } from ${moduleAt('contract/accounts.js')}
      const { accounts, close } = openEmbedded(${JSON.stringify(directory)})
      for await (const line of createInterface({ input: process.stdin })) {
        if (line === 'create') console.log((await issueKey(accounts, { name: 'me', plan: 'pro' }, 1)).key)
        else console.log((await revokeKey(accounts, line, 2)).revoked)
      }
      await close()`)
    const ask = (line: string) => {
      other.child.stdin?.write(`${line}\n`)
      return other.next()
    }
    const { accounts, close } = openEmbedded(directory)
    for (let round = 0; round < 3; round++) {
      expect(
        (await accounts.list()).accounts,
        'an earlier read, so that there is a snapshot to renew',
      ).toHaveLength(round)
      const hash = hashOf(await ask('create'))
      expect(accounts.find(hash)).toMatchObject({ name: 'me', plan: 'pro' })
      expect(await ask(idOf(hash))).toBe('2')
      expect((await accounts.find(hash))?.revoked).toBe(2)
    }
    other.child.stdin?.end()
    await other.ended
    await close()
  })

  test('a process that never stops reading sees what another one writes', async () => {
    const { accounts, close } = openEmbedded(directory)
    const writing = { key: '' }
    createApart().then(key => {
      writing.key = key
    })
    // Ends by the time limit of the test when the snapshot of a busy process is never renewed.
    while (writing.key === '' || accounts.find(hashOf(writing.key)) === undefined) {
      accounts.check()
      await setImmediate()
    }
    expect(accounts.find(hashOf(writing.key))).toMatchObject({ name: 'me' })
    await close()
  })

  for (const count of [2, 4])
    test(
      `of ${count} processes that start together on an empty directory, one creates the first key`,
      count === 2 ? {} : { tags: ['faults'] },
      async () => {
        const program = `
      import { openEmbedded } from ${moduleAt('store/embedded/embedded.js')}
      import { ensureFirstKey } from ${moduleAt('contract/accounts.js')}
      console.log('ready')
      process.stdin.once('data', async () => {
        const store = openEmbedded(${JSON.stringify(directory)})
        console.log((await ensureFirstKey(store.accounts, 1))?.key ?? 'none')
        await store.close()
        process.exit()
      })`
        const starts = Array.from({ length: count }, () => start(program))
        await Promise.all(starts.map(({ next }) => next()))
        for (const { child } of starts) child.stdin?.write('go\n')
        const printed = await Promise.all(starts.map(({ next }) => next()))
        await Promise.all(starts.map(({ ended }) => ended))

        const keys = printed.filter(line => line !== 'none')
        expect(keys).toHaveLength(1)
        const store = openEmbedded(directory)
        expect((await store.accounts.list()).accounts.map(({ id }) => id)).toEqual(
          keys.map(key => idOf(hashOf(key))),
        )
        await store.close()
      },
    )
})

/** A process that runs `program`; `next` resolves to the next line that it prints. */
function start(program: string): { child: ChildProcess; next(): Promise<string>; ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, next: async () => String((await lines.next()).value), ended: once(child, 'exit') }
}
