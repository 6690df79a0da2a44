import { rounded } from './statistics.js'

/** A measured size of an axis: processor time per request in microseconds, of the service and of a bare server. */
export interface Point {
  readonly axis: string
  readonly size: number
  readonly cpu: number
  readonly bare: number
}

const picture =
  '![Processor time per request by cached series, connections, history and period](images/growth.svg)'
const begin = '<!-- written by: npm run bench -- growth --write-document -->'
const end = '<!-- end of what the bench writes -->'

/** A document with the section that the bench writes; throws where its marks are missing. */
export function withSection(document: string, section: string): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the document lacks the marks ${begin} and ${end}`)
  return `${document.slice(0, from + begin.length)}\n\n${section}\n${document.slice(to)}`
}

/** Cost of the last size of an axis as a multiple of the first one, both relative to a bare request. */
export function growthOf(points: readonly Point[]): number {
  const ratio = (point: Point | undefined) => (point ? point.cpu / point.bare : Number.NaN)
  return ratio(points.at(-1)) / ratio(points[0])
}

/** The section as Markdown: the figure, and a row for each axis from its first to its last size. */
export function growthText(all: readonly (readonly Point[])[], machine: string): string {
  const rows = all.map(points => {
    const [first, last] = [points[0] as Point, points.at(-1) as Point]
    const sizes = `${first.size.toLocaleString('en')} → ${last.size.toLocaleString('en')}`
    return `| ${first.axis} | ${sizes} | ${rounded(first.cpu, 1)} → ${rounded(last.cpu, 1)} µs | ${rounded(growthOf(points))} × |`
  })
  const head = '| Quantity | Sizes | CPU per request | Growth relative to a bare request |\n|---|---|---|---|'
  return `${picture}\n\nMeasured on ${machine}.\n\n${head}\n${rows.join('\n')}\n`
}
