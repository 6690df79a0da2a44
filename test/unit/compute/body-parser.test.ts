import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Columns, columnNames, type Snapshot } from '../../../src/candles/columns.js'
import { BodyParser, readCandlesField } from '../../../src/compute/json/body-parser.js'
import { instantiate } from '../../../src/compute/wasm/kernels-file.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { readSuppliedCandles } from '../../../src/contract/supplied-candles.js'

/** `LONG=1` tries millions of numbers and bodies, in minutes; without it seconds are spent. */
const isLong = process.env.LONG !== undefined
const runs = (short: number) => ({ numRuns: isLong ? short * 100 : short })
const timeout = isLong ? 3_600_000 : 30_000

const bodyParser = new BodyParser()
/** Whether candles were parsed from the bytes of a body. JSON itself has no columns. */
const areParsed = (field: unknown) => (field as Snapshot | undefined)?.columns instanceof Columns
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

const alone = (body: unknown) => [body]
const constructs = (body: unknown): unknown[] => {
  const list = typeof body === 'object' && body !== null && 'constructs' in body ? body.constructs : []
  return Array.isArray(list) ? list : []
}

/** Candles by their bits, so that -0 is not 0. */
function bits({ columns, closed, forming, count }: Snapshot) {
  const values = columnNames.flatMap(name => [...columns[name].subarray(0, count)])
  return { closed, forming, count, bits: [...new BigUint64Array(new Float64Array(values).buffer)] }
}

/** The value of a body with candles or faults in its fields `candles`, or that it is not JSON. */
function parsedValue(parse: () => unknown, holders: (body: unknown) => unknown[]): unknown {
  let body: unknown
  try {
    body = parse()
  } catch {
    return 'not JSON'
  }
  for (const holder of holders(body)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, 'candles')) continue
    const fields = holder as { candles: unknown }
    const candles = readCandlesField(fields.candles)
    fields.candles = isRefusal(candles) ? candles.error : bits(candles)
  }
  return body
}

/** Expects the same value from `JSON.parse` and from the parser. */
function expectSame(bytes: Uint8Array, holders: (body: unknown) => unknown[] = alone): void {
  const slow = parsedValue(() => JSON.parse(decoder.decode(bytes)), holders)
  const fast = parsedValue(() => bodyParser.read(bytes, holders), holders)
  expect(fast, Buffer.from(bytes).toString('latin1')).toEqual(slow)
}

const expectSameText = (text: string, holders: (body: unknown) => unknown[] = alone) =>
  expectSame(encoder.encode(text), holders)

const candle = '{"t":1,"o":1,"h":2,"l":0.5,"c":1.5,"v":10}'
const isParsed = (text: string) => {
  const body = bodyParser.read(encoder.encode(text), alone) as { candles: unknown }
  return areParsed(body.candles)
}

/** The number that the parser reads from the text of a candle's volume; undefined if it leaves the text to JSON.parse. */
const reader = (() => {
  const module = instantiate()
  const text = Math.ceil((module.start.value as number) / 16) * 16
  const place = text + 4096
  const head = '[{"o":1,"h":1,"l":1,"c":1,"v":'
  const bytes = new Uint8Array(module.memory.buffer)
  const numbers = new Float64Array(module.memory.buffer)
  encoder.encodeInto(head, bytes.subarray(text))
  return (number: string): number | undefined => {
    const isNegative = number.startsWith('-')
    const rest = `${isNegative ? number.slice(1) : number}}]`
    const at = text + head.length
    const { written } = encoder.encodeInto(rest, bytes.subarray(at))
    bytes.fill(0, at + written, at + written + 16)
    if (module.readCandles(text, place, 1) !== 1) return undefined
    const value = numbers[(place + 16) / 8 + 5] as number
    return isNegative ? -value : value
  }
})()

/** Whether the parser reads `text` itself. Throws when it reads another number than JSON.parse. */
function isRead(text: string): boolean {
  const value = reader(text)
  if (value === undefined) return false
  if (!Object.is(value, JSON.parse(text))) throw new Error(`${text} was read as ${value}`)
  return true
}

const words = new BigUint64Array(1)
const doubles = new Float64Array(words.buffer)
const doubleOf = (pattern: bigint) => {
  words[0] = pattern
  return doubles[0] as number
}

/** The exact decimal digits of a finite, positive double, as digits and the power of ten of the last one. */
function exact(value: number): { digits: bigint; exponent: number } {
  doubles[0] = value
  const pattern = words[0] as bigint
  const biased = Number(pattern >> 52n)
  const mantissa = (pattern & 0xf_ffff_ffff_ffffn) | (biased === 0 ? 0n : 1n << 52n)
  const binary = Math.max(biased, 1) - 1075
  return binary >= 0
    ? { digits: mantissa << BigInt(binary), exponent: 0 }
    : { digits: mantissa * 5n ** BigInt(-binary), exponent: binary }
}

/** The point exactly between a double and the next one, cut after `length` digits and moved by `nudge` in the last. */
function halfway(value: number, length: number, nudge: number): string {
  const low = exact(value)
  doubles[0] = value
  const high = exact(doubleOf((words[0] as bigint) + 1n))
  const exponent = Math.min(low.exponent, high.exponent)
  const scaled = ({ digits, exponent: own }: typeof low) => digits * 10n ** BigInt(own - exponent)
  const digits = `${(scaled(low) + scaled(high)) * 5n}`
  const cut = digits.slice(0, length)
  return `${BigInt(cut) + BigInt(nudge)}e${exponent - 1 + digits.length - cut.length}`
}

const pattern = fc.bigInt({ min: 0n, max: 0x7fef_ffff_ffff_ffffn })
const digits = (from: number, to: number) =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: from - 1, maxLength: to - 1 }),
    )
    .map(([first, rest]) => `${first}${rest.join('')}`)

/** One number in many spellings. */
const printings: readonly ((value: number) => string)[] = [
  value => `${value}`,
  value => value.toExponential(),
  value => value.toExponential(16),
  value => value.toExponential(20),
  value => value.toPrecision(17),
  value => value.toPrecision(18),
  value => value.toPrecision(19),
  value => value.toPrecision(25),
  value => value.toPrecision(6),
  value => (value < 1e21 ? value.toFixed(2) : `${value}`),
  value => (value < 1e21 ? value.toFixed(20) : `${value}`),
  value => value.toExponential(5).replace('e', 'E'),
  value => `-${value}`,
]

describe('a number in supplied candles', () => {
  it(
    'is read as JSON.parse reads it, however a double is printed',
    () => {
      fc.assert(
        fc.property(pattern, value => {
          for (const print of printings) isRead(print(doubleOf(value)))
        }),
        runs(4_000),
      )
    },
    timeout,
  )

  it(
    'is read as JSON.parse reads it where doubles are dense: prices and volumes',
    () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 2 ** 40 }),
          fc.integer({ min: 0, max: 12 }),
          (whole, decimals) => {
            const text = (whole / 10 ** decimals).toFixed(decimals)
            if (!isRead(text)) throw new Error(`${text} was left to JSON.parse`)
          },
        ),
        runs(10_000),
      )
    },
    timeout,
  )

  it(
    'is rounded correctly halfway between two doubles, cut off after any digit and beside it',
    () => {
      let unread = 0
      fc.assert(
        fc.property(
          pattern,
          fc.integer({ min: 15, max: 40 }),
          fc.integer({ min: -1, max: 1 }),
          (value, length, nudge) => {
            if (!isRead(halfway(doubleOf(value), length, nudge))) unread++
          },
        ),
        runs(8_000),
      )
      expect(unread, 'more than 19 digits of a halfway case are left to JSON.parse').toBeGreaterThan(0)
    },
    timeout,
  )

  it(
    'is rounded correctly halfway between two doubles that are whole numbers',
    () => {
      fc.assert(
        fc.property(fc.bigInt({ min: 1n << 53n, max: (1n << 64n) - 1n }), value => {
          isRead(`${value}`)
          isRead(`${value | 1n}`)
          isRead(`${value}.5`)
          isRead(`${value}e-3`)
          isRead(`${value}e20`)
        }),
        runs(6_000),
      )
    },
    timeout,
  )

  it(
    'is read as JSON.parse reads it with 17 to 25 digits and any exponent',
    () => {
      fc.assert(
        fc.property(
          digits(17, 25),
          fc.integer({ min: -400, max: 400 }),
          fc.integer({ min: 0, max: 24 }),
          (text, scale, point) => {
            isRead(`${text}e${scale}`)
            isRead(`0.${'0'.repeat(point)}${text}`)
            isRead(
              `${text.slice(0, Math.min(point, 16) + 1)}.${text.slice(Math.min(point, 16) + 1) || '0'}E+${Math.abs(scale)}`,
            )
          },
        ),
        runs(6_000),
      )
    },
    timeout,
  )

  it('is read as JSON.parse reads it at the ends of the range', () => {
    const edges = [
      '0',
      '-0',
      '0.0',
      '-0.0',
      '0e5',
      '-0e-5',
      '0.000',
      '0e400',
      '5e-324',
      '4.9e-324',
      '2.4703282292062327e-324',
      '2.4703282292062328e-324',
      '2.470328229206232720e-324',
      '2.2250738585072014e-308',
      '2.2250738585072011e-308',
      '2.225073858507201136e-308',
      '2.225073858507200889e-308',
      '1.7976931348623157e308',
      '1.7976931348623158e308',
      '1.797693134862315807e308',
      '1.797693134862315808e308',
      '1e308',
      '1e309',
      '1e-323',
      '1e-324',
      '1e-343',
      '9e15',
      '9007199254740991',
      '9007199254740992',
      '9007199254740993',
      '9007199254740993.0',
      '9007199254740992.5',
      '18446744073709551615',
      '18446744073709551616',
      '9999999999999999999',
      '10000000000000000000',
      '1e22',
      '1e23',
      '8.41e21',
      '9.5e-3',
      '123456789012345678',
      '0.1',
      '0.30000000000000004',
      '1e00',
      '1e+00022',
      '1E-00000000022',
      '1e99999',
      '1e-99999',
      '0e99999',
      '6631236846766476e-316',
      '3237883913302901289588352418501608e-350',
    ]
    for (const text of edges) {
      isRead(text)
      expectSameText(`{"candles":[{"o":1,"h":1,"l":${text},"c":1,"v":1}]}`)
    }
    for (let power = -345; power <= 310; power++) {
      for (const text of [`1e${power}`, `-9.99e${power}`, `9007199254740993e${power}`]) isRead(text)
    }
  })

  it('is refused where JSON has no such number', () => {
    for (const text of [
      '01',
      '00',
      '-01',
      '1.',
      '.5',
      '+1',
      '-',
      '1e',
      '1e+',
      '1.e5',
      '0x1',
      '1_0',
      'NaN',
      'Infinity',
      '1,2',
      '١',
      '',
    ]) {
      expect(reader(text), text).toBe(undefined)
      expectSameText(`{"candles":[{"o":1,"h":1,"l":1,"c":1,"v":${text}}]}`)
    }
  })
})

describe('a body with candles', () => {
  it('is parsed without objects when nothing is unusual', () => {
    for (const text of [
      `{"candles":[${candle}]}`,
      ` {\n\t"period" : 14, "candles" :\r\n [ ${candle.replaceAll(/[:,]/g, ' $& ')} ] , "results" : "max" } `,
      '{"candles":[{"open":1,"high":1,"low":1,"close":1,"volume":0}]}',
      '{"candles":[{"timestamp":1,"timestampHuman":"1970-01-01 00:00:01","o":1,"h":1,"l":1,"c":1,"v":0,"x":null,"y":true,"z":false,"n":-1.5e3}]}',
      `{"candles":[${Array.from({ length: 500 }, (_, i) => `{"t":${i},"o":1,"h":1,"l":1,"c":1,"v":1}`)}]}`,
    ]) {
      expect(isParsed(text), text).toBe(true)
      expectSameText(text)
    }
  })

  const anomalies: readonly string[] = [
    '',
    '{}',
    '[]',
    'null',
    '"candles"',
    '{"candles":[]}',
    '{"candles":{}}',
    '{"candles":"\\u00000"}',
    '{"candles":"x","other":[]}',
    `{"candles":[${candle}],"candles":[${candle.replace('1', '2')}]}`,
    `{"candles":[${candle}],"candles":5}`,
    `{"candles":5,"candles":[${candle}]}`,
    `{"candles":"\\u00000","inner":{"candles":[${candle}]}}`,
    `{"inner":{"candles":[${candle}]}}`,
    `{"inner":[{"candles":[${candle}]}],"candles":[${candle}]}`,
    `[{"candles":[${candle}]}]`,
    `{"candl\\u0065s":[${candle}]}`,
    `{"text":"\\"candles\\":[${candle.replaceAll('"', '')}]","candles":[${candle}]}`,
    `{"text":"candles","candles":[${candle}]}`,
    `{"candles":[${candle}]`,
    `{"candles":[${candle}]}}`,
    `{"candles":[${candle}],}`,
    `{"candles":[${candle},]}`,
    `{"candles":[,${candle}]}`,
    `{"candles":[${candle} ${candle}]}`,
    `{"candles":[[${candle}]]}`,
    `{"candles":[${candle}] []}`,
    `{"candles" [${candle}]}`,
    `{"candles"::[${candle}]}`,
    `{"x":"candles":[${candle}]}`,
    `{"x":"candles","y":[${candle}]}`,
    `["candles",[${candle}]]`,
    `["candles":[${candle}]]`,
    `"candles":[${candle}]`,
    `\ufeff{"candles":[${candle}]}`,
    `\ufeff\ufeff{"candles":[${candle}]}`,
    `{"candles":[${candle}],"name":"größe 😀"}`,
    `{"candles":[${candle.replace('}', ',"note":"größe"}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":"a\\u0041"}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":"a\nb"}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":{"o":1}}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":[1]}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":tru}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":nul}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":falsy}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":01}')}]}`,
    `{"candles":[${candle.replace('}', ',"note":1e999}')}]}`,
    `{"candles":[${candle.replace('}', ',"o":3}')}]}`,
    `{"candles":[${candle.replace('}', ',"open":3}')}]}`,
    `{"candles":[${candle.replace('}', ',"open":null}')}]}`,
    `{"candles":[${candle.replace('}', ',"__proto__":{"o":1}}')}]}`,
    `{"candles":[${candle.replace('}', ',"__proto__":1}')}]}`,
    `{"candles":[${candle.replace('}', ',"":1}')}]}`,
    `{"candles":[${candle.replace('}', ',}')}]}`,
    `{"candles":[${candle.replace('}', ',"op":1,"opens":1,"close":2}')}]}`,
    `{"candles":[${candle.replace('"o"', '"\\u006f"')}]}`,
    `{"candles":[${candle.replace('"o":1', '"o":"1"')}]}`,
    `{"candles":[${candle.replace('"o":1', '"o":null')}]}`,
    `{"candles":[${candle.replace('"o":1,', '')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":null')}]}`,
    `{"candles":[${candle.replace('"t":1', '"timestamp":null')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":1.5')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":-1')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":-0')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":1e11')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":100000000001')}]}`,
    `{"candles":[${candle.replace('"t":1', '"t":1,"timestamp":1')}]}`,
    `{"candles":[${candle},${candle}]}`,
    `{"candles":[${candle},${candle.replace('"t":1,', '')}]}`,
    `{"candles":[${candle.replace('"t":1,', '')},${candle}]}`,
    `{"candles":[${candle.replace('"h":2', '"h":0.25')}]}`,
    `{"candles":[${candle.replace('"v":10', '"v":-10')}]}`,
    `{"candles":[${candle.replace('"v":10', '"v":-0')}]}`,
    `{"candles":[${candle.replace('"v":10', '"v":1e999')}]}`,
    `{"candles":[${Array.from({ length: 501 }, (_, i) => `{"t":${i},"o":1,"h":1,"l":1,"c":1,"v":1}`)}]}`,
    `{"candles":[null]}`,
    `{"candles":[1]}`,
    `{"candles":[${candle}],"a":"unended}`,
    `{"candles":[${candle}],"a":"\t"}`,
    `{"candles":[${candle}],"a":"\0"}`,
    `{"candles":[${candle}]}\0`,
    `{"candles":[${candle}],"a":"\\u00000"}`,
    `{"\\u00000":1,"candles":[${candle}]}`,
    `{"candles":\u00a0[${candle}]}`,
    `{"candles":[\f${candle}]}`,
  ]
  it.each(anomalies)('has the value of JSON.parse: %s', text => {
    expectSameText(text)
    expectSameText(text, constructs)
  })

  it('is refused as JSON.parse refuses it where its bytes are no UTF-8', () => {
    for (const [place, byte] of [
      ['"a', 0xff],
      ['"a', 0xc3],
      [':', 0xe2],
      ['[', 0x80],
      ['"t', 0xf0],
    ] as const) {
      const bytes = Buffer.from(`{"a":1,"candles":[${candle}]}`)
      expectSame(
        Buffer.concat([
          bytes.subarray(0, bytes.indexOf(place) + 1),
          Buffer.of(byte),
          bytes.subarray(bytes.indexOf(place) + 1),
        ]),
      )
    }
  })

  it('has the candles of every construct in their place', () => {
    const of = (t: number) => candle.replace('"t":1', `"t":${t}`)
    const text = `{"verbose":true,"constructs":[{"id":"a","candles":[${of(5)}]},{"candles":[${of(6)},${of(7)}],"id":"b"},{"id":"c"},{"id":"d","candles":[${of(8)}]},null,7]}`
    const body = bodyParser.read(encoder.encode(text), constructs) as { constructs: { candles?: unknown }[] }
    expect(body.constructs.map(construct => areParsed(construct?.candles))).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ])
    expectSameText(text, constructs)
    expectSameText(text, alone)
  })

  it('has the value of JSON.parse with more arrays than any endpoint takes', () => {
    for (const count of [20, 32, 33, 500]) {
      const list = Array.from({ length: count }, () => `{"candles":[${candle}]}`)
      expectSameText(`{"constructs":[${list}]}`, constructs)
    }
  })

  it('gives candles that do not change when the next body is read', () => {
    const read = (text: string) => {
      const { candles } = bodyParser.read(encoder.encode(text), alone) as { candles: unknown }
      return readCandlesField(candles) as Snapshot
    }
    const first = read(`{"candles":[${candle}]}`)
    const before = bits(first)
    read(
      `{"candles":[${Array.from({ length: 300 }, (_, i) => `{"t":${i + 7},"o":9,"h":9,"l":9,"c":9,"v":9}`)}]}`,
    )
    read(`{"padding":"${'x'.repeat(3_000_000)}","candles":[${candle.replace('1', '3')}]}`)
    expect(bits(first)).toEqual(before)
  })
})

const price = fc.oneof(
  fc.integer({ min: 100, max: 10_000_000 }).map(cents => `${cents / 100}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => JSON.stringify(value)),
  fc.constantFrom('0', '-0', '1e3', '1E-2', '1.50', '-1', '12345678901234567890'),
)
const field = (long: string, short: string, value: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(long, short), value).map(([name, text]) => `"${name}":${text}`)
const extra = fc.constantFrom(
  '"timestampHuman":"2024-01-01 00:00:00"',
  '"x":null',
  '"quoteVolume":12.5',
  '"closed":true',
)
const likelyCandle = (at: number) =>
  fc
    .tuple(
      field('timestamp', 't', fc.integer({ min: at * 10, max: at * 10 + 9 }).map(String)),
      field('open', 'o', price),
      field('high', 'h', fc.integer({ min: 50, max: 100 }).map(String)),
      field('low', 'l', fc.integer({ min: 0, max: 51 }).map(String)),
      field('close', 'c', price),
      field(
        'volume',
        'v',
        fc.integer({ min: 0, max: 1e6 }).map(n => `${n / 8}`),
      ),
      extra,
    )
    .chain(fields => fc.shuffledSubarray(fields, { minLength: 7 }))
    .map(fields => `{${fields.join(', ')}}`)
const likelyArray = fc
  .integer({ min: 1, max: 4 })
  .chain(count => fc.tuple(...Array.from({ length: count }, (_, i) => likelyCandle(i))))
  .map(candles => `[${candles.join(',\n')}]`)
const likelyBody = fc
  .tuple(likelyArray, likelyArray)
  .map(
    ([first, second]) =>
      `{"results":5,"candles":${first},"constructs":[{"id":"a","candles":${second}},{"id":"b"}]}`,
  )

/** Numbers of up to and beyond the 15 characters that are read in one step. */
const digitsOf = fc
  .tuple(
    fc.integer({ min: 1, max: 17 }),
    fc.integer({ min: 0, max: 17 }),
    fc.bigInt({ min: 0n, max: 10n ** 17n }),
  )
  .map(([whole, decimals, value]) => {
    const digits = String(value).padStart(whole + decimals, '7')
    const front = digits.slice(0, whole).replace(/^0+(?=.)/, '')
    return decimals === 0 ? front : `${front}.${digits.slice(-decimals)}`
  })
/** An array whose candles have the same fields in the same order and the same space between them. */
const alikeArray = fc
  .tuple(
    fc.shuffledSubarray(['t', 'o', 'h', 'l', 'c', 'v', 'x'], { minLength: 7 }),
    fc.constantFrom('', ' ', '\n  ', ' '.repeat(13), ' '.repeat(29), ' '.repeat(40)),
    fc.array(fc.tuple(price, digitsOf, digitsOf, fc.integer({ min: 0, max: 9 })), {
      minLength: 3,
      maxLength: 7,
    }),
  )
  .map(([names, space, values]) => {
    const candles = values.map(([open, close, volume, time], i) => {
      const texts: Record<string, string> = {
        t: `${i * 10 + time}`,
        o: open,
        h: '1e3',
        l: '0.5',
        c: close,
        v: volume,
      }
      const fields = names.map(name => `${space}"${name}":${space}${texts[name] ?? 'true'}`)
      return `{${fields.join(',')}${space}}`
    })
    return `[${candles.join(`,${space}`)}${space}]`
  })
const alikeBody = alikeArray.map(array => `{"candles":${array},"results":5}`)

/** Bytes, most of which have a meaning in JSON. */
const byte = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Buffer.from('{}[]",:.-+eE0123456789 \n\\tolhcvnu\0')) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
)
interface Mutation {
  readonly kind: 'replace' | 'insert' | 'delete' | 'cut' | 'repeat'
  readonly at: number
  readonly length: number
  readonly byte: number
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'insert', 'insert', 'delete', 'delete', 'cut', 'repeat'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  byte,
})

function mutate(bytes: Uint8Array, { kind, at, length, byte: value }: Mutation): Uint8Array {
  const place = Math.floor(at * bytes.length)
  const before = bytes.subarray(0, place)
  switch (kind) {
    case 'replace':
      return Buffer.concat([before, Buffer.of(value), bytes.subarray(place + 1)])
    case 'insert':
      return Buffer.concat([before, Buffer.of(value), bytes.subarray(place)])
    case 'delete':
      return Buffer.concat([before, bytes.subarray(place + (length > 20 ? 1 : length))])
    case 'cut':
      return before
    case 'repeat':
      return Buffer.concat([before, bytes.subarray(place, place + length), bytes.subarray(place)])
  }
}

describe('a mutated body', () => {
  it(
    'has the value of JSON.parse',
    () => {
      fc.assert(
        fc.property(likelyBody, fc.array(mutation, { maxLength: 3 }), (text, mutations) => {
          const bytes = mutations.reduce(mutate, encoder.encode(text))
          expectSame(bytes, body => [body, ...constructs(body)])
          expectSame(bytes, alone)
        }),
        runs(4_000),
      )
    },
    timeout,
  )

  it(
    'has the value of JSON.parse where its candles are alike',
    () => {
      fc.assert(
        fc.property(alikeBody, fc.array(mutation, { maxLength: 2 }), (text, mutations) => {
          expectSame(mutations.reduce(mutate, encoder.encode(text)))
          expectSameText(text)
        }),
        runs(2_000),
      )
    },
    timeout,
  )

  it('is parsed without JSON.parse before it is mutated where its candles are alike', () => {
    // All but numbers whose rounding needs more than 19 digits.
    const taken = fc.sample(alikeBody, 200).filter(isParsed)
    expect(taken.length).toBeGreaterThan(190)
  })

  it('is mostly parsed without JSON.parse before it is mutated', () => {
    let taken = 0
    const texts = fc.sample(likelyBody, 200)
    for (const text of texts) {
      const body = bodyParser.read(encoder.encode(text), whole => [whole, ...constructs(whole)])
      if (areParsed((body as { candles: unknown }).candles)) taken++
    }
    expect(taken).toBeGreaterThan(100)
    expect(readSuppliedCandles([]), 'the rules of supplied candles').toHaveProperty(
      'error',
      'candles must hold at least 1 candle',
    )
  })

  it('counts the bytes that it left to JSON.parse', () => {
    const own = new BodyParser()
    const read = (text: string) => own.read(encoder.encode(text), whole => [whole])
    read('{"candles":[{"o":1,"h":2,"l":1,"c":1,"v":1}]}')
    expect(own.fallbackBytes).toBe(0)
    const unusual = '{"candles":[{"o":1,"h":2,"l":1,"c":1,"v":{}}]}'
    read(unusual)
    expect(own.fallbackBytes).toBe(unusual.length)
    expect(() => read('{"candles":[')).toThrow()
    expect(own.fallbackBytes).toBe(unusual.length + '{"candles":['.length)
  })
})
