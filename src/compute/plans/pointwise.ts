import type { Operation } from '../expressions/plan.js'
import type { WasmModule } from '../kernels/wasm-module.js'

/** The operations that the module of the kernels has, in the order of assembly/expression/pointwise.ts. */
const codes: ReadonlyMap<Operation, number> = new Map(
  (
    [
      'add',
      'subtract',
      'multiply',
      'divide',
      'min',
      'max',
      'less',
      'lessOrEqual',
      'equal',
      'notEqual',
      'and',
      'or',
      'not',
      'negate',
      'isUndefined',
      'orElse',
      'if',
    ] as const
  ).map((operation, code) => [operation, code]),
)

/** Whether an operation is computed by JavaScript, which takes longer. */
export const isScript = (operation: Operation): boolean => !codes.has(operation)

/**
 * Computes an operation for `count` candles in the memory of a module. `out` and the inputs of the operation are the indices
 * in `numbers` of their values at the first candle. The number behind the values is written, too.
 */
export function computePointwise(
  module: WasmModule,
  numbers: Float64Array,
  operation: Operation,
  out: number,
  [a = 0, b = 0, c = 0]: readonly number[],
  count: number,
): void {
  const code = codes.get(operation)
  if (code !== undefined) {
    module.computePointwise(code, out * 8, a * 8, b * 8, c * 8, count)
    return
  }
  // WebAssembly has no instructions for the remainder and for powers.
  for (let i = 0; i < count; i++) {
    const [one, other] = [numbers[a + i] as number, numbers[b + i] as number]
    // Only a number has one: JavaScript's power of NaN with 0 is 1.
    const isKnown = Number.isFinite(one) && Number.isFinite(other)
    const value = isKnown ? (operation === 'power' ? one ** other : one % other) : Number.NaN
    numbers[out + i] = Number.isFinite(value) ? value : Number.NaN
  }
}
