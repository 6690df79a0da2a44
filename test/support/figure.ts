import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The measurement of the test, in words. */
    figure?: string
  }
}

/** Whether `npm run test:faults` runs the tests, with the sizes of its documented figures. */
export const isWhole = process.env.FAULTS === 'whole'

/**
 * Processor time for which the event loop may be held, in milliseconds. Within `npm test`, on any machine, only a value far
 * beyond it is a failure.
 */
export const maxHoldMs = isWhole ? 50 : 200

/** Reports the measurement of a test; `npm run test:faults` prints it. */
export function reportFigure({ task }: Pick<TestContext, 'task'>, figure: string): void {
  task.meta.figure = figure
}

/** `12` or `1.2`. */
export const rounded = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
