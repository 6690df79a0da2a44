import { paletteSize } from './slots.js'

/** The colours of the chart. They are custom properties of the style sheet, so that each is written down once. */
export interface ChartColours {
  readonly background: string
  readonly text: string
  readonly grid: string
  readonly border: string
  readonly crosshair: string
  readonly label: string
  readonly up: string
  readonly down: string
  readonly upFaint: string
  readonly downFaint: string
  readonly neutral: string
  readonly series: readonly string[]
}

export function readColours(element: Element = document.documentElement): ChartColours {
  const style = getComputedStyle(element)
  // Style sheets are minified: `#fff`.
  const read = (name: string) =>
    style
      .getPropertyValue(`--${name}`)
      .trim()
      .replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3')
  return {
    background: read('chart'),
    text: read('chart-text'),
    grid: read('grid'),
    border: read('border'),
    crosshair: read('crosshair'),
    label: read('crosshair-label'),
    up: read('up'),
    down: read('down'),
    upFaint: read('up-faint'),
    downFaint: read('down-faint'),
    neutral: read('neutral'),
    series: Array.from({ length: paletteSize }, (_, at) => read(`series-${at + 1}`)),
  }
}

/** A colour of six hexadecimal digits with an opacity from 0 to 1. */
export const withOpacity = (colour: string, opacity: number): string =>
  `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`

/** Writes a text that candles and lines behind it do not make unreadable. */
export function writeOn(
  context: CanvasRenderingContext2D,
  text: string,
  [x, y]: readonly [number, number],
  [colour, background]: readonly [string, string],
): void {
  context.setLineDash([])
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = background
  context.strokeText(text, x, y)
  context.fillStyle = colour
  context.fillText(text, x, y)
}
