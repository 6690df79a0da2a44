import { Executor } from '../../src/compute/executor.js'
import { BodyParser } from '../../src/compute/json/body-parser.js'

/** An executor with one thread, in which the options given replace others. Fails where a computation does. */
export const createExecutor = (
  options: Pick<ConstructorParameters<typeof Executor>[0], 'calculator'> &
    Partial<ConstructorParameters<typeof Executor>[0]>,
): Executor =>
  new Executor({
    bodyParser: new BodyParser(),
    threads: 1,
    maxQueuedTasks: 64,
    inlineBudgetUs: 400,
    inlineBodyBytes: 65_536,
    onFailure: error => {
      throw error
    },
    ...options,
  })
