import type { ExpressionRefusal } from '../../contract/expression-refusals.js'

/** Carries a refusal out of the recursion that reads an expression; caught in compile.ts and nowhere else. */
export class Fault extends Error {
  constructor(readonly refusal: ExpressionRefusal) {
    super(refusal.error)
  }
}
