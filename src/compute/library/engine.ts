import type { ColumnName } from '../../candles/columns.js'
import type { Plan } from '../expressions/plan.js'
import { KernelRunner } from '../kernels/kernel-runner.js'
import type { Shape } from '../kernels/shape.js'
import { PlanRunner } from '../plans/plan-runner.js'
import { firstFreeAddress, instanceOf, KernelFailure } from '../wasm/module.js'
import type { Library } from './types.js'

/** A calculation with its plan, and the columns of candles that it reads. */
export interface Program {
  readonly shape: Shape
  readonly plan: Plan
  readonly columns: readonly ColumnName[]
}

/** The kernels that all calculations of a thread share. */
export interface Engine {
  /** Runs indicators over whole histories. */
  readonly kernels: KernelRunner
  /** Runs expressions, and indicators whose inputs lack values. */
  readonly plans: PlanRunner
  /** Programs by their texts, so that a repeated call does not read its parameters again. */
  readonly programs: Map<string, Program>
}

let compiled: WebAssembly.Module | undefined
let engine: Engine | undefined
/** Place of the kernels on this host: a function that reads their file, or an address. */
let place: (() => BufferSource) | URL | undefined
let version = ''

/** Sets the place of the kernels, and their version. The entry of the package calls it. */
export function setKernels(at: (() => BufferSource) | URL, itsVersion: string): void {
  place = at
  version = itsVersion
}

/** Version of the kernels, which decides the layout of saved states. */
export const kernelsVersion = (): string => version

export const load: Library['load'] = async source => {
  const from = source ?? (typeof place === 'function' ? place() : place)
  if (from === undefined) throw new Error('load() needs the kernels, or their address')
  const given = from instanceof URL || typeof from === 'string' ? await fetch(from) : from
  if (given instanceof Response && !given.ok) throw new Error(`${given.url} is answered with ${given.status}`)
  const bytes = given instanceof Response ? await given.arrayBuffer() : given
  compiled = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes)
  engine = undefined
}

/** The kernels, compiled by the first call where a host has files. */
export function currentEngine(): Engine {
  if (engine) return engine
  if (!compiled && typeof place === 'function') compiled = new WebAssembly.Module(place())
  if (!compiled) throw new Error('The kernels are not loaded: await load() first')
  const [module, own] = [instanceOf(compiled), instanceOf(compiled)]
  const plans = new PlanRunner(own, true)
  const kernels = new KernelRunner(module, firstFreeAddress(module), () => plans)
  engine = { kernels, plans, programs: new Map() }
  return engine
}

/** Runs a calculation. After a trap the next one has a new instance, because the memory may be damaged. */
export function withEngine<Result>(run: (engine: Engine) => Result): Result {
  try {
    return run(currentEngine())
  } catch (error) {
    if (error instanceof KernelFailure) engine = undefined
    throw error
  }
}
