import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { matchesReply } from '../support/documents.js'
import {
  isNode,
  type Node,
  nameOf,
  nodesOf,
  parse,
  type SourceFile,
  sourceFiles,
} from '../support/source-code.js'

/** Index of the argument that is a message for a person, per called function. In the message, `…` stands for a value. */
const messageCalls: Readonly<Record<string, number>> = { at: 1, notFoundBut: 0, refusal: 1 }
const failures: Readonly<Record<string, number>> = {
  CandelaError: 0,
  CertificateFailure: 0,
  CommandFailure: 0,
  InvalidArgumentError: 0,
  LineFault: 1,
  SourceFailure: 1,
  StoreFailure: 0,
  TransportFailure: 0,
}
/** Objects with methods `warn` and `error` that do not write the log. */
const isNoLog = /^(command|console)$/
/** Files whose plain errors are also shown to a person. In other files, a plain error is a bug and only logged. */
const shownErrors =
  /^src\/(main\.ts|cli\/|operate\/(\w+\.ts|processes\/|settings\/|metrics\/metrics-server)|http\/drivers\/|store\/(embedded\/|installation)|alerts\/(addresses|message|stream-delivery))/

/** The name of an object, or of a member of one, such as `#log` of `this.#log`. */
const objectNameOf = (node: unknown) => String(nameOf(isNode(node) ? (node.property ?? node) : node))

/** The texts that an argument may be. */
function textsOf(node: unknown): readonly string[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'TemplateLiteral')
    return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')]
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)]
  return []
}

function messagesOf(
  { callee, tag, quasi, type, id, init, arguments: given = [] }: Node,
  path: string,
): readonly string[] {
  // Warnings of the log that are written at several places.
  if (type === 'VariableDeclarator' && String(nameOf(id)).endsWith('Warning')) return textsOf(init)
  // Why an exchange has not answered.
  if (
    type === 'VariableDeclarator' &&
    nameOf(id) === 'reasons' &&
    isNode(init) &&
    init.type === 'ObjectExpression'
  )
    return (init.properties as readonly Node[]).flatMap(({ value }) => textsOf(value))
  const values = given as readonly unknown[]
  const name = String(nameOf(callee))
  if (type === 'TaggedTemplateExpression') return nameOf(tag) === 'invalid' ? textsOf(quasi) : []
  if (type === 'CallExpression') {
    const { object, property } = callee as Node
    if (nameOf(object) === 'problems' && nameOf(property) === 'push') return textsOf(values[0])
    const isLogged = /^(warn|error)$/.test(String(nameOf(property))) && !isNoLog.test(objectNameOf(object))
    if (isLogged || name === 'logFault') return textsOf(values[1])
    return Object.hasOwn(messageCalls, name) ? textsOf(values[messageCalls[name] as number]) : []
  }
  if (type !== 'NewExpression') return []
  if (name === 'Error' && shownErrors.test(path)) return textsOf(values[0])
  return Object.hasOwn(failures, name) ? textsOf(values[failures[name] as number]) : []
}

/** A message without the values at its ends. */
const canonical = (text: string) => text.replace(/…+/g, '…').replace(/^[…:\s]+|[…:\s]+$/g, '')

/** Only files with one of these are parsed. */
const hasMessages =
  /\bnew \w*(Failure|Error|Fault)\(|\b(refusal|notFoundBut|at)\(|\binvalid`|\bproblems\.push|\bconst reasons\b|\.(warn|error)\(|\blogFault\(|Warning =/

/** Every message of a file that has words of its own. */
const shownMessages = (file: SourceFile) =>
  (hasMessages.test(file.text) ? nodesOf(parse(file)) : [])
    .flatMap(node => messagesOf(node, file.path))
    .map(canonical)
    // A text that begins with a punctuation mark is the end of another message.
    .filter(text => /^["@\w]/.test(text) && /[a-z]{2}/i.test(text))

interface Section {
  readonly title: string
  readonly messages: readonly {
    readonly texts: readonly string[]
    readonly cause: string
    readonly remedy: string
  }[]
}
const sections: readonly Section[] = JSON.parse(
  readFileSync(new URL('../../docs/messages.json', import.meta.url), 'utf8'),
)
const rows = sections.flatMap(({ messages }) => messages)
const documented = rows.flatMap(({ texts }) => texts)
const known = new Set(documented.map(canonical))

const golden = ['refusals', 'alert-refusals', 'screen-refusals', 'expression-errors'].flatMap(name => {
  const texts: string[] = []
  JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'), (key, value) => {
    const isText = /^(error|reason|\d+)$/.test(key) || name === 'expression-errors'
    if (typeof value === 'string' && isText) texts.push(value)
    return value
  })
  return texts
})
const isFor = (message: string, text: string) => matchesReply(`…${message}…`, text)

/** Texts of the modules of the Python client. Their own messages are not extracted one by one. */
const pythonTexts = (): readonly string[] => {
  const folder = new URL('../../python/src/candela_client/', import.meta.url)
  const names = readdirSync(folder).filter(name => name.endsWith('.py'))
  return names.map(name => readFileSync(new URL(name, folder), 'utf8'))
}

describe('docs/messages.json', () => {
  const sources = [...sourceFiles('src'), ...sourceFiles('page')]
  const shown = new Map(sources.flatMap(file => shownMessages(file).map(text => [text, file.path])))

  it('has every message that the service, its commands and exchanges show', () => {
    expect(shown.size).toBeGreaterThan(200)
    expect([...shown].filter(([text]) => !known.has(text))).toEqual([])
  })

  it('has the text of every refusal as callers get it', () => {
    expect(golden.length).toBeGreaterThan(200)
    // Messages of a few letters, such as `Cannot …: …`, would match many texts.
    const own = documented.filter(message => message.replace(/[^a-z]/gi, '').length >= 8)
    expect(golden.filter(text => !own.some(message => isFor(message, text)))).toEqual([])
  })

  it('has no message that is shown nowhere', () => {
    const texts = [...sources.map(({ text }) => text), ...pythonTexts()]
    const isPart = (message: string) =>
      texts.some(text => message.split('…').every(part => text.includes(part)))
    expect(
      documented
        .map(canonical)
        .filter(message => !shown.has(message) && !isPart(message))
        .filter(message => !golden.some(text => isFor(message, text))),
    ).toEqual([])
  })

  it('has each message once, with a cause and what to do', () => {
    expect(documented.filter((text, at) => documented.indexOf(text) !== at)).toEqual([])
    expect(rows.filter(({ cause, remedy }) => cause.length < 8 || remedy.length < 8)).toEqual([])
  })

  it('finds messages in the source by what they are given to', () => {
    const text = [
      'new CommandFailure(`No key @{id}`)',
      "new StoreFailure(a ? 'one thing' : 'another')",
      'refusal(400, `@{x} is wrong`)',
      "new Error('a bug')",
      "this.#log.warn({}, 'a warning')",
      "console.error(1, 'printed')",
    ].join('\n')
    expect(shownMessages({ path: 'src/markets/feeds/x.ts', text: text.replaceAll('@', '$') })).toEqual([
      'No key',
      'one thing',
      'another',
      'is wrong',
      'a warning',
    ])
  })
})
