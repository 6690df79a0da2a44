import { didYouMean, nearNames } from './hints.js'
import { invalid, quote, type Refusal, refusal } from './refusal.js'

/** A tool for language models that there is not. */
export const unknownTool = (name: string, names: readonly string[]): Refusal =>
  refusal(
    404,
    `Unknown tool: ${quote(name)}. The tools are ${names.join(', ')}${didYouMean(nearNames(name, names))}`,
  )

/** A computation of both, or of neither. */
export const indicatorOrExpression = (): Refusal => invalid`Send either indicator or expression`

export const resourceNotFound = (uri: string): Refusal => refusal(404, `Resource not found: ${quote(uri)}`)

/** The error of an expression with the valid one that may be meant. */
export const withNearest = (error: string, text: string): string =>
  `${error}${/[.?]$/.test(error) ? '' : '.'} Nearest valid form: ${text}`
