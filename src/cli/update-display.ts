import { formatTime } from '../candles/format-time.js'
import type { OutputValue } from '../client/types.js'

/** State of an indicator: the values at its newest candle by output. A single output has the name of the indicator. */
export interface MarketUpdate {
  readonly closed: boolean
  readonly data: { readonly timestamp: number } & Readonly<Record<string, OutputValue>>
}

interface UpdateDisplay {
  update(update: MarketUpdate): void
  end(): void
}

interface Options {
  readonly isJson: boolean
  readonly isColoured: boolean
}

/** Stream for updates. A terminal has a number of columns. */
type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write' | 'cursorTo' | 'clearLine'>

/** Shows one line that is rewritten on a terminal. Elsewhere, and as JSON, prints one line per update. */
export function createUpdateDisplay(
  title: string,
  { isJson, isColoured }: Options,
  output: Output = process.stdout,
): UpdateDisplay {
  const print = (line: string) => {
    output.write(`${line}\n`)
  }
  if (isJson) return { update: ({ closed, data }) => print(JSON.stringify({ closed, ...data })), end() {} }
  if (!output.isTTY) return { update: update => print(lineOf(title, update)), end() {} }
  let last: MarketUpdate | undefined
  return {
    update(update) {
      // A line that the terminal wraps could not be rewritten.
      const line = lineOf(title, update).slice(0, (output.columns || 80) - 1)
      const colour = last && isColoured ? colourOf(last, update) : undefined
      output.cursorTo(0)
      output.write(colour ? `\u001b[${colour}m${line}\u001b[39m` : line)
      output.clearLine(1)
      last = update
    },
    end() {
      if (last) output.write('\n')
    },
  }
}

function lineOf(title: string, { closed, data }: MarketUpdate): string {
  const { timestamp, ...values } = data
  const entries = Object.entries(values)
  const texts = entries.map(([name, value]) =>
    entries.length === 1 ? valueText(value) : `${name} ${valueText(value)}`,
  )
  return `${title}  ${formatTime(timestamp)}  ${texts.join('  ')}  ${closed ? 'closed' : 'forming'}`
}

/** Formats a number with few digits, and a missing number as a dash. */
export const shortNumber = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(8))) : '-'

export const valueText = (value: MarketUpdate['data'][string]): string =>
  typeof value === 'number' ? shortNumber(value) : value === null ? '-' : String(value)

/** Colour code: green if the first value has risen, red if it has fallen. */
function colourOf(before: MarketUpdate, { data }: MarketUpdate): 32 | 31 | undefined {
  const name = Object.keys(data).find(each => each !== 'timestamp') as string
  const [old, value] = [before.data[name], data[name]]
  if (typeof old !== 'number' || typeof value !== 'number' || old === value) return undefined
  return value > old ? 32 : 31
}
