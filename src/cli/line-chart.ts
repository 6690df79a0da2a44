import { plot } from 'simple-ascii-chart'

/** A line of a chart: one value per column; NaN for a missing value. */
export interface ChartLine {
  readonly name: string
  readonly values: readonly number[]
}

interface Size {
  /** Maximum size of the drawing, in columns and lines of the terminal. */
  readonly width: number
  readonly height: number
}

/** Colours that can be read on a dark and on a light background, with their codes. */
const codes = { ansiGreen: 32, ansiMagenta: 35, ansiCyan: 36, ansiRed: 31, ansiBlue: 34, ansiYellow: 33 }
const colours = Object.keys(codes) as (keyof typeof codes)[]

/** Maximum number of columns for the numbers next to a chart, the axis and the margin. */
export const marginWidth = 14

const colourOf = (k: number) => colours[k % colours.length] as keyof typeof codes

/** Names of lines, each in its colour. */
export const legendOf = (lines: readonly ChartLine[], isColoured: boolean): string =>
  lines.map(({ name }, k) => (isColoured ? `\u001b[${codes[colourOf(k)]}m${name}\u001b[0m` : name)).join('  ')

/** Draws lines with characters over one scale. Behind them are dotted lines at `levels`, which the scale includes. */
export function drawLines(
  lines: readonly ChartLine[],
  { width, height }: Size,
  isColoured: boolean,
  levels: readonly number[] = [],
): string {
  const drawn = lines.flatMap((line, k) =>
    runsOf(line.values).map(points => ({ points, colour: colourOf(k) })),
  )
  if (drawn.length === 0) return '(no values)'
  const all = [...drawn.flatMap(({ points }) => points.map(([, y]) => y)), ...levels]
  const range: Range = [Math.min(...all), Math.max(...all)]
  const digits = digitsFor(...range)
  const ticks = evenTicks(range, height)
  // A constant line would hide its level.
  const shown = range[0] < range[1] ? levels : []
  const text = plot(
    drawn.map(({ points }) => points),
    {
      width: Math.max(2, width - marginWidth),
      height,
      hideXAxis: true,
      ...(shown.length > 0 ? { yRange: range } : {}),
      ...(ticks ? { customYAxisTicks: ticks.values } : {}),
      formatter: (value: number) => value.toFixed(ticks ? ticks.digits : digits),
      ...(isColoured ? { color: drawn.map(({ colour }) => colour) } : {}),
    },
  )
  const rows = text.split('\n').filter(row => row.trim() !== '')
  const withLevels = shown.reduce<readonly string[]>(
    // The arrow of the axis is above the rows of the drawing.
    (drawing, level) =>
      withLevel(drawing, 1 + rowOf(level, range, height), String(Number(level.toFixed(digits))), isColoured),
    rows,
  )
  return withLevels.map(row => row.trimEnd()).join('\n')
}

type Range = [min: number, max: number]

/** Row of a value, counted from the top. */
const rowOf = (value: number, [min, max]: Range, height: number): number =>
  height - 1 - Math.round(((value - min) / (max - min)) * (height - 1))

/** Adds a level: dots in the empty cells of its row, and its text next to the axis. All rows are indented to make room. */
function withLevel(
  rows: readonly string[],
  at: number,
  level: string,
  isColoured: boolean,
): readonly string[] {
  const axis = (rows[at] as string).search(/[┤│]/)
  const indent = ' '.repeat(Math.max(0, level.length - axis))
  const dots = (rows[at] as string).slice(axis + 1).replace(/ +/g, gap => {
    const dotted = '┄'.repeat(gap.length)
    return isColoured ? `\u001b[2m${dotted}\u001b[0m` : dotted
  })
  return rows.map((row, other) => (other === at ? `${level.padStart(axis)}┤${dots}` : `${indent}${row}`))
}

/** Points of a line, split at its gaps. */
function runsOf(values: readonly number[]): readonly [number, number][][] {
  const runs: [number, number][][] = []
  for (const [x, value] of values.entries()) {
    if (!Number.isFinite(value)) continue
    const last = runs.at(-1)
    if (last?.at(-1)?.[0] === x - 1) last.push([x, value])
    else runs.push([[x, value]])
  }
  return runs
}

/** Minimum number of rows of a drawing per number next to its axis. */
const rowsPerTick = 2

/**
 * Numbers at steps of 1, 2 or 5 times a power of ten within a range, with their decimals. Undefined for an empty range.
 */
function evenTicks([min, max]: Range, height: number) {
  if (!(min < max)) return undefined
  // A little less, because a difference has a rounding error.
  const least = ((max - min) / Math.max(1, Math.floor(height / rowsPerTick))) * (1 - 1e-9)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * (([1, 2, 5] as const).find(each => each * power >= least) ?? 10)
  const first = Math.ceil(min / step)
  const count = Math.floor(max / step) - first + 1
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  // Multiplies, because a sum of steps would accumulate rounding errors.
  const values = Array.from({ length: count }, (_, k) => Number(((first + k) * step).toFixed(digits)))
  return values.length > 0 ? { values, digits } : undefined
}

/** Number of decimals that distinguish the values of a range. */
function digitsFor(min: number, max: number): number {
  const range = max - min || Math.abs(max) || 1
  return Math.max(0, Math.min(8, 2 - Math.floor(Math.log10(range))))
}
