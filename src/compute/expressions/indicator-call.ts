import type { Entry, Values } from '../../catalogue/index.js'
import {
  badIndicatorParameter,
  inputNotAccepted,
  parameterNotConstant,
  tooManyPositional,
} from '../../contract/expression-refusals.js'
import { readIndicatorSpec } from '../../contract/query.js'
import { isRefusal, type Refusal, repeatedParameter } from '../../contract/refusals.js'
import { Fault } from './fault.js'
import type { ArgumentSyntax, CallSyntax, Syntax } from './syntax.js'

/** An indicator with its parameters, and the expressions in the place of its first inputs. */
export interface IndicatorCall {
  readonly indicator: Entry
  readonly params: Values
  /** By input; undefined where the indicator reads a column of the candles. */
  readonly inputs: readonly (Syntax | undefined)[]
}

const sourceNames = ['source', 'source2'] as const

/** The value of an argument that is none of a calculation. */
function constantOf(syntax: Syntax): number | boolean | string | undefined {
  switch (syntax.kind) {
    case 'number':
    case 'boolean':
    case 'text':
      return syntax.value
    case 'name':
      return syntax.name
    default:
      return undefined
  }
}

/** Whether an argument without a name, before all that are parameters, is an input of the indicator. */
function isInput({ value }: ArgumentSyntax, { params }: Entry): boolean {
  if (value.kind !== 'name') return constantOf(value) === undefined
  const [first] = Object.values(params)
  return !(first?.kind === 'choice' && first.of.includes(value.name))
}

/** How many of the arguments without names are inputs: they come before the parameters. */
function countInputs(args: readonly ArgumentSyntax[], entry: Entry): number {
  const unnamed = args.filter(({ name }) => name === undefined)
  // Without parameters there is nothing else that a number could be.
  if (Object.keys(entry.params).length === 0) return Math.min(unnamed.length, entry.sources)
  let count = 0
  while (count < entry.sources && count < unnamed.length && isInput(unnamed[count] as ArgumentSyntax, entry))
    count++
  return count
}

/**
 * Reads an indicator with its arguments: first the expressions that it is applied to, if any, then its parameters in
 * the order of the catalogue, then those that are given by name. Throws a `Fault`.
 */
export function readCall(entry: Entry, { at, args }: CallSyntax): IndicatorCall {
  const names = Object.keys(entry.params)
  const inputs: (Syntax | undefined)[] = entry.inputs.map(() => undefined)
  const given = new Map<string, { readonly value: unknown; readonly at: number }>()
  const inputCount = countInputs(args, entry)
  for (const [k, arg] of args.entries()) {
    const source = sourceNames.indexOf(arg.name as 'source')
    if (k < inputCount) inputs[k] = arg.value
    else if (source >= 0 && source < entry.sources && !names.includes(arg.name as string)) {
      if (inputs[source]) throw new Fault(inputNotAccepted(arg.at, entry.name, entry.sources))
      inputs[source] = arg.value
    } else addParameter(entry, given, arg, names[k - inputCount])
  }
  if (entry.sources === 2 && (inputs[0] === undefined) !== (inputs[1] === undefined))
    throw new Fault(inputNotAccepted(at, entry.name, 2))
  const spec = readIndicatorSpec(entry, new Map([...given].map(([key, { value }]) => [key, value])), 'json')
  if (isRefusal(spec)) throw new Fault(badIndicatorParameter(faultAt(spec, given, at), entry.name, spec))
  return { indicator: entry, params: spec.params, inputs }
}

function addParameter(
  entry: Entry,
  given: Map<string, { readonly value: unknown; readonly at: number }>,
  { at, name, value }: ArgumentSyntax,
  positional: string | undefined,
): void {
  const parameter = positional === undefined ? undefined : entry.params[positional]
  const isCalculation =
    constantOf(value) === undefined || (value.kind === 'name' && parameter?.kind !== 'choice')
  // What is none of a parameter was meant as an input.
  if (name === undefined && isCalculation && (entry.sources === 0 || positional === undefined))
    throw new Fault(inputNotAccepted(at, entry.name, entry.sources))
  const key = name ?? positional
  if (key === undefined) throw new Fault(tooManyPositional(at, entry.name, Object.keys(entry.params)))
  const constant = constantOf(value)
  if (constant === undefined) throw new Fault(parameterNotConstant(at, key))
  if (given.has(key)) throw new Fault(badIndicatorParameter(at, entry.name, repeatedParameter(key)))
  given.set(key, { value: constant, at })
}

/** The argument that a refusal of the catalogue names, or the indicator. */
function faultAt(
  { error }: Refusal,
  given: ReadonlyMap<string, { readonly at: number }>,
  indicatorAt: number,
): number {
  for (const [name, { at }] of given)
    if (error.startsWith(`Invalid ${name}:`) || error.startsWith(`Unknown parameter: ${name}.`)) return at
  return indicatorAt
}
