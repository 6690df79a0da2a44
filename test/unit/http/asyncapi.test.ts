import { readdirSync, readFileSync } from 'node:fs'
import asyncapi from '@asyncapi/specs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/catalogue/index.js'

const document = JSON.parse(readFileSync(new URL('../../../build/asyncapi.json', import.meta.url), 'utf8'))
const ajv = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } })
ajv.addSchema({ ...document, $id: 'asyncapi' })

interface Message {
  readonly type: string
  readonly indicator?: string | undefined
}

const validators = new Map<string, ValidateFunction>()
/**
 * The validator of a message; undefined if the document has no such message. Leaves out the conditions for the 650 other
 * indicators, because no message of this indicator can break them.
 */
function validatorOf({ type, indicator }: Message): ValidateFunction | undefined {
  const payload = document.components.messages[type]?.payload
  const key = `${type} ${indicator}`
  if (payload === undefined || validators.has(key)) return validators.get(key)
  const conditions = payload.allOf?.filter(
    (each: { if?: { properties: { indicator?: { const: string } } } }) =>
      [undefined, indicator].includes(each.if?.properties.indicator?.const),
  )
  const schema = JSON.stringify(conditions ? { ...payload, allOf: conditions } : payload)
  const validator = ajv.compile(JSON.parse(schema.replaceAll('"$ref":"#/', '"$ref":"asyncapi#/')))
  validators.set(key, validator)
  return validator
}

/** Every value of the key `$ref` in a JSON value. */
function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield inner as string
    else yield* references(inner)
  }
}

const resolve = (reference: string) =>
  reference
    .slice(2)
    .split('/')
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .reduce<any>((inner, key) => inner?.[key], document)

/** Fault of a message that does not match the document; undefined for a correct message. */
const faultOf = (message: Message) => {
  const validate = validatorOf(message)
  if (!validate) return `there is no message ${message.type}`
  return validate(message) ? undefined : JSON.stringify(validate.errors)
}

const conversations = new URL('../../golden/conversations/', import.meta.url)
/** The lines of the recorded conversations. Lines of the service begin with ←, lines of the client with →. */
const recorded = readdirSync(conversations).map(name =>
  readFileSync(new URL(name, conversations), 'utf8').trimEnd().split('\n'),
)

describe('the AsyncAPI document', () => {
  it('is valid by the schema of AsyncAPI 3.0', () => {
    const specification = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } })
    addFormats.default(specification)
    const validate = specification.compile(asyncapi.schemasWithoutId['3.0.0'] as object)
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
    expect(document.asyncapi).toBe('3.0.0')
    expect(validate({ ...document, operations: { list: {} } }), 'the schema refuses what is wrong').toBe(
      false,
    )
  })

  it('has no reference to what is missing, and no component without a reference', () => {
    const referred = new Set(references(document))
    for (const reference of referred) expect(resolve(reference), reference).toBeDefined()
    for (const kind of ['messages', 'schemas']) {
      for (const name of Object.keys(document.components[kind]))
        expect(referred).toContain(`#/components/${kind}/${name}`)
    }
  })

  it('has an operation for each message', () => {
    const operations = Object.values<{ messages: unknown; reply?: { messages: unknown } }>(
      document.operations,
    )
    const used = new Set(operations.flatMap(({ messages, reply }) => [...references({ messages, reply })]))
    for (const name of Object.keys(document.components.messages))
      expect(used).toContain(`#/channels/streaming/messages/${name}`)
  })

  it('has the values of every indicator', () => {
    const names = [...catalogue.keys()].map(name => `values.${name}`)
    const values = Object.keys(document.components.schemas).filter(name => name.startsWith('values.'))
    expect(values.sort()).toEqual(names.sort())
  })
})

describe('the recorded conversations', () => {
  const typesOf = (messages: readonly { type: string }[]) =>
    [...new Set(messages.map(({ type }) => type))].sort()
  const expectDocumented = (messages: readonly { type: string }[]) => {
    for (const message of messages) expect(faultOf(message), JSON.stringify(message)).toBeUndefined()
  }

  it('have no message of the service that is not documented', () => {
    const lines = recorded.flat().filter(line => line.startsWith('←'))
    const messages = lines.map(line => JSON.parse(line.slice(2)))
    expectDocumented(messages)
    expect(typesOf(messages)).toEqual([
      ...['auth_error', 'auth_ok', 'error', 'screen_ok', 'screen_pending', 'screen_update', 'subscriptions'],
      'update',
    ])
  })

  it('have no message that the service follows and that is not documented', () => {
    const followed = recorded.flatMap(lines =>
      lines.filter((line, i) => line.startsWith('→') && !/"type":"(auth_)?error"/.test(lines[i + 1] ?? '')),
    )
    const messages = followed.map(line => JSON.parse(line.slice(2)))
    expectDocumented(messages)
    expect(typesOf(messages)).toEqual(['auth', 'list', 'screen', 'screen_stop', 'subscribe', 'unsubscribe'])
  })
})

describe('a message that is not documented', () => {
  const update = {
    type: 'update',
    id: 'fast',
    subscription: 'demo:btcusdt:1h',
    indicator: 'rsi',
    params: { period: 7 },
    closed: true,
    data: { rsi: 50, timestamp: 1_700_006_400 },
  }
  const subscribe = {
    type: 'subscribe',
    id: 'a',
    exchange: 'demo',
    symbol: 'BTCUSDT',
    interval: '1h',
    indicator: 'rsi',
  }

  it.each([
    ['an update', update],
    ['a subscribe', subscribe],
    ['a subscribe with parameters', { ...subscribe, params: { optInTimePeriod: 9, source: 'hl2' } }],
  ])('is not %s', (_, message) => {
    expect(faultOf(message)).toBeUndefined()
  })

  it.each([
    ['an update without its indicator', { ...update, indicator: undefined }],
    ['an update with another field', { ...update, symbol: 'BTCUSDT' }],
    ['an update with the values of another indicator', { ...update, indicator: 'sma' }],
    ['an update with a wrong parameter', { ...update, params: { period: 1 } }],
    ['a subscribe with a wrong timeframe', { ...subscribe, interval: '7h' }],
    ['a subscribe with a wrong parameter', { ...subscribe, params: { period: '7' } }],
    ['a subscribe with another field', { ...subscribe, period: 7 }],
  ])('is %s', (_, message) => {
    expect(faultOf(JSON.parse(JSON.stringify(message)))).toBeDefined()
  })
})
