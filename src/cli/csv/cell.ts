const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const maxQuotedLength = 40

/** Whether a cell holds a decimal number, with or without an exponent. */
export const isNumber = (cell: string): boolean => decimal.test(cell)

/** A cell in quotation marks, shortened, for a message. */
export const quoteCell = (cell: string): string =>
  JSON.stringify(cell.length > maxQuotedLength ? `${cell.slice(0, maxQuotedLength - 1)}…` : cell)
