const namespace = 'http://www.w3.org/2000/svg'

/** Paths in a square of 20, drawn with a line of 1.5. */
const paths = {
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM17 17l-3.8-3.8',
  indicators: 'M3 14l4-5 3 3 4-7 3 4M3 17.5h14',
  sun: 'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
  moon: 'M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z',
  share: 'M10 12.5V3M6.5 6 10 2.5 13.5 6M5 9.500H4v8h12v-8h-1',
  key: 'M7 14.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM11 10.500h7v3M15 10.500v2.5',
  help: 'M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM7.7 7.700a2.4 2.4 0 1 1 3.6 2.100c-.8.5-1.3 1-1.3 1.900M10 14.200v.1',
  gear: 'M10 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 2v2.200M10 15.800V18M2 10h2.200M15.8 10H18M4.3 4.300l1.6 1.600M14.1 14.100l1.6 1.600M4.3 15.700l1.6-1.600M14.1 5.900l1.6-1.6',
  eye: 'M1.5 10S4.5 4.5 10 4.5 18.5 10 18.5 10 15.5 15.5 10 15.5 1.5 10 1.5 10ZM10 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  eyeOff:
    'M3 3l14 14M8 4.700a8 8 0 0 1 2-.2c5.5 0 8.5 5.5 8.5 5.500a14 14 0 0 1-2.6 3.200M5 6.200A13 13 0 0 0 1.5 10s3 5.5 8.5 5.500c1.3 0 2.4-.3 3.4-.7M8.2 8.300a2.5 2.5 0 0 0 3.5 3.5',
  close: 'M5 5l10 10M15 5 5 15',
  up: 'M10 15.500v-11M5.5 9 10 4.5 14.5 9',
  down: 'M10 4.500v11M5.5 11l4.5 4.5 4.5-4.5',
  fold: 'M4 6h12M4 10h12M4 14h12',
  chevron: 'M6 8l4 4 4-4',
  code: 'M7 5.5 2.5 10 7 14.500M13 5.500l4.5 4.5-4.5 4.5',
  star: 'M10 2.500l2.3 4.8 5.2.7-3.8 3.6 1 5.200L10 14.300l-4.7 2.5 1-5.200L2.5 8l5.2-.7Z',
  copy: 'M7 7h9.500v10.500H7ZM13 7V3H3.500v10.500H7',
  check: 'M4 10.500l4 4 8-9',
  sliders: 'M3 6h7M14 6h3M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM3 14h3M10 14h7M8 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.500 1.500h-13ZM8 17.500h4',
  bars: 'M3 17h14M5 14v-3M9 14V5M13 14V8M16.500 14v-5',
  send: 'M3 10 17 4l-4 13-3.500-5.500ZM9.500 11.500 17 4',
  play: 'M6 4l10 6-10 6Z',
  pause: 'M7 4v12M13 4v12',
  table: 'M3 4h14v12H3ZM3 8h14M3 12h14M8 8v8',
  newest: 'M4 4l6 6-6 6M13 4v12',
  plus: 'M10 4v12M4 10h12',
  grip: 'M7.500 5v.1M7.500 10v.1M7.500 15v.1M12.500 5v.1M12.500 10v.1M12.500 15v.1',
  pencil: 'M4 16l1-4 8.500-8.500 3 3L8 15ZM11.500 5.500l3 3',
  tools:
    'M4.500 15.500l11-11M3 17a1.500 1.500 0 1 0 0-.1ZM15.500 4.500a1.500 1.500 0 1 0 0-.1ZM3 8h5M12 14h5',
  level: 'M2 10h5M13 10h5M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  vertical: 'M10 2v5M10 13v5M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  trend:
    'M6.200 13.800l7.600-7.600M4.500 17a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600ZM15.500 6.600a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600Z',
  ray: 'M5.800 14.200l2.900-2.900M11.300 8.700 18 2M4.500 17a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600ZM10 11.800a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600Z',
  channel: 'M2.500 12.500 13 2.500M7 17.500l10.500-10',
  rectangle: 'M3.500 5h13v10h-13Z',
  fibonacci: 'M3 3.500h14M3 8h14M3 12h14M3 16.500h14',
  measure: 'M10 3v14M6.500 6 10 2.500 13.500 6M6.500 14l3.500 3.500 3.500-3.500',
  text: 'M4 5.500V3.500h12v2M10 3.500v13M7.500 16.500h5',
  profile: 'M3.500 2.500v15M3.500 4.500h5M3.500 8h11M3.500 11.500h8M3.500 15h4',
  visible: 'M16.500 2.500v15M16.500 4.500h-5M16.500 8h-11M16.500 11.500h-8M16.500 15h-4',
  magnet: 'M4.500 3v7a5.500 5.500 0 0 0 11 0V3h-3.500v7a2 2 0 0 1-4 0V3ZM4.500 6.500H8M12 6.500h3.500',
  drop: 'M10 2.500c3 4 5 6.500 5 9.500a5 5 0 0 1-10 0c0-3 2-5.500 5-9.500Z',
} as const
export type IconName = keyof typeof paths

export function svg(width: number, height: number, ...children: readonly SVGElement[]): SVGSVGElement {
  const element = document.createElementNS(namespace, 'svg')
  element.setAttribute('viewBox', `0 0 ${width} ${height}`)
  element.setAttribute('width', String(width))
  element.setAttribute('height', String(height))
  element.setAttribute('aria-hidden', 'true')
  element.append(...children)
  return element
}

export function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(namespace, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

/** An icon without a name: its button has one. */
export function icon(name: IconName): SVGSVGElement {
  const element = svg(20, 20, shape('path', { d: paths[name] }))
  element.classList.add('icon', `icon-${name}`)
  return element
}

/** Small picture of an indicator's look, in 36 × 20 pixels. */
export type PictureName = 'line' | 'band' | 'oscillator' | 'histogram' | 'marks' | 'zone' | 'levels'

const bars = [
  [4, 9, 8],
  [10, 6, 8],
  [16, 8, 6],
  [22, 4, 8],
  [28, 5, 7],
] as const

const candles = () =>
  bars.map(([x, y, height]) => shape('rect', { class: 'quiet', x, y, width: 3, height, rx: 0.5 }))
const line = (d: string) => shape('path', { class: 'line', d })

/** The pictures that have been drawn. A copy costs a fifth of a new one, and a list has hundreds. */
const drawn = new Map<PictureName, SVGSVGElement>()

export function picture(name: PictureName): SVGSVGElement {
  const kept = drawn.get(name) ?? draw(name)
  drawn.set(name, kept)
  return kept.cloneNode(true) as SVGSVGElement
}

function draw(name: PictureName): SVGSVGElement {
  const shapes: Readonly<Record<PictureName, () => readonly SVGElement[]>> = {
    line: () => [...candles(), line('M2 16C9 15 12 10 18 11S28 8 34 5')],
    band: () => [
      shape('path', { class: 'area', d: 'M2 6C12 2 20 6 34 1V13C22 17 14 13 2 18Z' }),
      line('M2 6C12 2 20 6 34 1'),
      line('M2 18C14 13 22 17 34 13'),
    ],
    oscillator: () => [
      shape('path', { class: 'guide', d: 'M2 5H34M2 15H34' }),
      line('M2 12C6 2 10 4 13 9S20 19 24 12 30 3 34 6'),
    ],
    histogram: () =>
      [4, 7, 3, -3, -6, -4, 2, 6].map((size, at) =>
        shape('rect', {
          class: 'solid',
          x: 2 + at * 4,
          y: size > 0 ? 10 - size : 10,
          width: 3,
          height: Math.abs(size),
        }),
      ),
    marks: () => [...candles(), shape('path', { class: 'solid', d: 'M17.5 16l3 4h-6ZM5.5 6l-3-4h6Z' })],
    zone: () => [shape('rect', { class: 'area', x: 9, y: 5, width: 26, height: 8 }), ...candles()],
    levels: () => [...candles(), line('M2 4H34M14 16H34')],
  }
  const element = svg(36, 20, ...shapes[name]())
  element.classList.add('picture')
  return element
}

/** Outline of a chart, shown while there are no candles. */
export function skeleton(): SVGSVGElement {
  const shapes: SVGElement[] = []
  for (let at = 0; at < 48; at++) {
    const middle = 150 - 50 * Math.sin(at / 6) - at * 0.8
    const size = 14 + 12 * Math.abs(Math.sin(at * 1.7))
    const x = 8 + at * 16.5
    shapes.push(shape('rect', { x: x + 4, y: middle - size, width: 1.5, height: size * 2 }))
    shapes.push(shape('rect', { x, y: middle - size / 2, width: 9.5, height: size, rx: 1 }))
  }
  const element = svg(800, 300, ...shapes)
  element.classList.add('skeleton')
  element.setAttribute('preserveAspectRatio', 'none')
  return element
}
