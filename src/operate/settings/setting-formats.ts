import { resolve } from 'node:path'
import { z } from 'zod'
import { type Plan, plans } from '../../contract/account.js'

const planNames = Object.keys(plans) as [Plan, ...Plan[]]

export interface Format<Value> {
  /** Completes an error message that begins with "must be". */
  readonly expected: string
  readonly schema: z.ZodType<Value, string>
}

export const integer = (min: number, max: number): Format<number> => ({
  expected: `an integer from ${min} to ${max}`,
  schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max)),
})

/** Format in which `word` stands for undefined. */
export const orWord = <Value>(word: string, format: Format<Value>): Format<Value | undefined> => ({
  expected: `${format.expected}, or ${word}`,
  schema: z.union([z.literal(word).transform(() => undefined), format.schema]),
})

const units = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

export const size = (min: number, max: number): Format<number> => ({
  expected: `a size from ${min} to ${max} MiB, such as 64MiB, 1GiB or a number of bytes`,
  schema: z
    .string()
    .regex(/^\d+ ?([KMG]iB)?$/)
    .transform(text => Number.parseInt(text, 10) * units[text.replace(/^\d+ ?/, '') as keyof typeof units])
    .pipe(
      z
        .number()
        .min(min * units.MiB)
        .max(max * units.MiB),
    ),
})

export const oneOf = <const Name extends string>(...names: readonly [Name, ...Name[]]): Format<Name> => ({
  expected: `one of ${names.join(', ')}`,
  schema: z.string().pipe(z.enum(names)) as z.ZodType<Name, string>,
})

export const flag: Format<boolean> = {
  expected: 'true or false',
  schema: z.enum(['true', 'false']).transform(text => text === 'true') as z.ZodType<boolean, string>,
}

export const host: Format<string> = {
  expected: 'an address or a host name',
  schema: z.string().regex(/^[\w.:%-]+$/),
}

export const path: Format<string> = {
  expected: 'a path',
  schema: z.string().transform(text => resolve(text)),
}

export const pathOrStdout: Format<string> = {
  expected: 'a path, or stdout',
  schema: z.string().transform(text => (text === 'stdout' ? text : resolve(text))),
}

export const webAddress: Format<string> = {
  expected: 'an address that begins with http:// or https://',
  schema: z.url({ protocol: /^https?$/ }),
}

export const smtpAddress: Format<string> = {
  expected:
    'an address such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start',
  schema: z.url({ protocol: /^smtps?$/ }),
}

export const emailAddress: Format<string> = {
  expected: 'an e-mail address such as candela@example.com',
  schema: z.email(),
}

export const recipients: Format<'*' | readonly string[]> = {
  expected: '*, or e-mail addresses and domains such as @example.com, separated by commas',
  schema: z.union([
    z.literal('*'),
    z
      .string()
      .transform(text => text.split(',').map(part => part.trim().toLowerCase()))
      .pipe(z.array(z.string().regex(/^[^@\s]*@[^@\s]+$/))),
  ]),
}

export type ExchangeOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

export const exchangeOptions: Format<ExchangeOptions> = {
  expected: 'a JSON object of ccxt options by exchange id, such as {"binance":{"timeout":5000}}',
  schema: json.pipe(z.record(z.string().regex(/^[a-z0-9]+$/), z.record(z.string(), z.unknown()))),
}

const address = z.url({ protocol: /^https?$/ }).optional()
const streamAddress = z.url({ protocol: /^wss?$/ }).optional()
const requestsPerSecond = z.number().min(0.01).max(100).optional()
const provider = z.strictObject({ url: address, streamUrl: streamAddress, requestsPerSecond }).optional()
export const stocksOptions = {
  expected:
    'a JSON object of url, symbolsUrl (http or https addresses) and requestsPerSecond (0.01 to 100), such as {"requestsPerSecond":2}, and of alpaca, massive and twelvedata, each with url, streamUrl (ws or wss) and requestsPerSecond',
  schema: json.pipe(
    z.strictObject({
      url: address,
      symbolsUrl: address,
      requestsPerSecond,
      alpaca: provider,
      massive: provider,
      twelvedata: provider,
    }),
  ),
}

/** Ordered names of a list, separated by commas. */
export const order = <const Name extends string>(
  names: readonly [Name, ...Name[]],
): Format<readonly Name[]> => ({
  expected: `names of ${names.join(', ')} in their order, separated by commas`,
  schema: z
    .string()
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(z.array(z.enum(names))) as unknown as z.ZodType<readonly Name[], string>,
})

/** A key issued by another service. */
export const secret: Format<string> = {
  expected: 'a text of letters, digits and punctuation without spaces',
  schema: z.string().regex(/^[!-~]+$/),
}

/** A number for each plan of a key. */
export const byPlan = (
  min: number,
  max: number,
  standard: number,
): Format<Readonly<Record<Plan, number>>> => ({
  expected: `an integer from ${min} to ${max}, or a JSON object of such by plan, such as {"free":${min}}`,
  schema: json
    .pipe(z.union([z.int().min(min).max(max), z.partialRecord(z.enum(planNames), z.int().min(min).max(max))]))
    .transform(given => {
      const of = (plan: Plan) => (typeof given === 'number' ? given : (given[plan] ?? standard))
      return Object.fromEntries(planNames.map(plan => [plan, of(plan)])) as Record<Plan, number>
    }),
})

const isOrigin = (text: string) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

export const origins: Format<'*' | readonly string[]> = {
  expected: 'off, * or origins such as https://app.example.com, separated by commas',
  schema: z.union([
    z.literal('*'),
    z.literal('off').transform(() => []),
    z
      .string()
      .transform(text => text.split(',').map(part => part.trim()))
      .pipe(z.array(z.string().refine(isOrigin))),
  ]),
}

export interface Setting<Value> extends Format<Value> {
  /** Value of an absent variable, as its text in the environment. */
  readonly default: string
  readonly meaning: string
  /** Whether the value may contain secrets. Such a value is never printed. */
  readonly isSecret: boolean
}

/** Defines a setting. The default is the text that would be set in the environment. */
export const setting = <Value>(
  defaultText: string,
  format: Format<Value>,
  meaning: string,
  isSecret = false,
): Setting<Value> => ({ default: defaultText, meaning, isSecret, ...format })
