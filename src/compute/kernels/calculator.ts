import { NumberWriter } from '../json/sink.js'
import { TimestampWriter } from '../json/text-column.js'
import { PlanRunner } from '../plans/plan-runner.js'
import { instantiate } from '../wasm/kernels-file.js'
import { firstFreeAddress } from '../wasm/module.js'
import { KernelRunner } from './kernel-runner.js'

/** Runs the kernels of a service, and writes numbers as JSON in the same memory. */
export class Calculator extends KernelRunner {
  readonly writer: NumberWriter
  readonly timestamps: TimestampWriter

  constructor(module = instantiate()) {
    const start = firstFreeAddress(module)
    super(module, start + NumberWriter.byteSize, () => new PlanRunner(instantiate()))
    this.writer = new NumberWriter(module, start)
    this.timestamps = new TimestampWriter(this.writer)
  }
}
