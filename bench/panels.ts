const width = 860
const panelHeight = 180
const margin = { left: 60, right: 150, top: 34, bottom: 26 }
const colours = ['#4269d0', '#efb118', '#ff725c', '#3ca951']

/** A curve of a panel. */
export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** One plot with its title. */
export interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
  /** Labels below the axis by their position; numbers if undefined. */
  readonly labels?: readonly string[]
  readonly isLogarithmic?: boolean
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const short = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2))

function drawPanel({ title, lines, labels, isLogarithmic = false }: Panel, top: number): string {
  const points = lines.flatMap(line => line.points)
  const scaled = (y: number) => (isLogarithmic ? Math.log10(Math.max(y, 0.01)) : y)
  const maxX = Math.max(1, ...points.map(([x]) => x))
  const values = points.map(([, y]) => scaled(y))
  const high = Math.max(...values, scaled(1))
  const low = isLogarithmic ? Math.min(...values) : 0
  const left = margin.left
  const right = width - margin.right
  const bottom = top + panelHeight - margin.bottom
  const x = (value: number) => left + ((right - left) * value) / maxX
  const y = (value: number) =>
    bottom - ((bottom - top - margin.top) * (scaled(value) - low)) / Math.max(high - low, 1e-9)
  const text = (at: number, line: number, content: string, anchor = 'middle') =>
    `<text x="${at.toFixed(1)}" y="${line.toFixed(1)}" text-anchor="${anchor}">${escaped(content)}</text>`
  const parts = [
    `<text x="${left}" y="${top + 18}" font-weight="bold">${escaped(title)}</text>`,
    `<path d="M${left} ${top + margin.top}V${bottom}H${right}" fill="none" stroke="#888"/>`,
  ]
  for (const share of [0, 0.5, 1]) {
    const level = low + (high - low) * share
    const value = isLogarithmic ? 10 ** level : level
    parts.push(text(left - 6, y(value) + 4, short(value), 'end'))
  }
  const ticks = labels ?? [0, maxX].map(String)
  ticks.forEach((label, i) => {
    parts.push(text(x(labels ? i : Number(label)), bottom + 16, label))
  })
  lines.forEach(({ name, points: own }, i) => {
    const colour = colours[i % colours.length]
    const path = own.map(([px, py]) => `${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join('L')
    parts.push(`<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`)
    parts.push(
      `<text x="${right + 10}" y="${top + margin.top + 14 * i}" fill="${colour}">${escaped(name)}</text>`,
    )
  })
  return parts.join('\n')
}

/** Draws panels below one another as an SVG. */
export function drawPanels(panels: readonly Panel[]): string {
  const height = panels.length * panelHeight
  const drawn = panels.map((panel, at) => drawPanel(panel, at * panelHeight))
  const title = panels.map(panel => panel.title).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${drawn.join('\n')}
</svg>
`
}
