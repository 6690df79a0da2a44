import { formatTime } from '../candles/format-time.js'

/** Digits of numbers: enough for any decision, and fewer tokens. */
const digits = 8
/** The most names that a list shows. */
const maxNames = 60

const formatValue = (value: unknown): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(digits))) : value === null ? '' : String(value)

const table = (header: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [header.join(','), ...rows.map(row => row.map(formatValue).join(','))].join('\n')

/** The result of an indicator as CSV. Texts of several names are separated by spaces. */
export function resultText({
  timestamp,
  ...outputs
}: Readonly<Record<string, readonly unknown[]>> & { readonly timestamp: readonly number[] }): string {
  const names = Object.keys(outputs)
  const rows = timestamp.map((time, at) => [
    formatTime(time),
    ...names.map(name => {
      const value = (outputs[name] as readonly unknown[])[at]
      return typeof value === 'string' ? value.replaceAll(',', ' ') : value
    }),
  ])
  return table(['time (UTC)', ...names], rows)
}

const candleFields = ['open', 'high', 'low', 'close', 'volume'] as const

/** Candles as CSV. */
export const candlesText = (
  candles: readonly Readonly<Record<(typeof candleFields)[number] | 'timestamp', number>>[],
): string =>
  table(
    ['time (UTC)', ...candleFields],
    candles.map(candle => [formatTime(candle.timestamp), ...candleFields.map(field => candle[field])]),
  )

/** A list of exchanges or symbols, those that contain a text. */
export function listText(
  { exchanges, symbols }: { readonly exchanges?: readonly string[]; readonly symbols?: readonly string[] },
  contains: string,
): string {
  const wanted = contains.toLowerCase().replace(/[/-]/g, '')
  const names = (exchanges ?? symbols ?? []).filter(name => name.toLowerCase().includes(wanted))
  const shown = names.slice(0, maxNames).join(' ')
  if (names.length === 0) return `None contains "${contains.slice(0, 100)}"`
  return names.length > maxNames ? `${shown} … and ${names.length - maxNames} more` : shown
}
