import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const sheet = readFileSync(new URL('../../page/style/tokens.css', import.meta.url), 'utf8')

/** The custom properties of a rule, by their names. */
function rule(selector: string): Readonly<Record<string, string>> {
  const start = sheet.indexOf(`${selector} {`)
  if (start < 0) throw new Error(`there is no rule ${selector}`)
  const body = sheet.slice(start, sheet.indexOf('}', start))
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6,8});/g)].map(([, name, value]) => [name, value]),
  )
}

const light = rule(':root')
const themes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  light,
  dark: { ...light, ...rule(':root[data-theme="dark"]') },
  'light in green and red': { ...light, ...rule(':root[data-colours="green-red"]') },
  'dark in green and red': {
    ...light,
    ...rule(':root[data-theme="dark"]'),
    ...rule(':root[data-theme="dark"][data-colours="green-red"]'),
  },
}

/** The relative luminance of WCAG. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}

const series = Array.from({ length: 8 }, (_, at) => `series-${at + 1}`)
const texts = [
  ...['surface', 'raised', 'hover', 'chart'].flatMap(on => [
    ['text', on],
    ['text-quiet', on],
  ]),
  ...['surface', 'raised', 'chart'].flatMap(on => [
    ['error', on],
    ['warning', on],
    ['accent', on],
  ]),
  ['text', 'pressed'],
  ['accent-text', 'accent'],
  ['chart-text', 'chart'],
  ['up-text', 'chart'],
  ['down-text', 'chart'],
  ['up-text', 'surface'],
  ...series.map(name => [name, 'chart']),
] as const
const shapes = [
  ['up', 'chart'],
  ['down', 'chart'],
  ['neutral', 'chart'],
  ['border-strong', 'raised'],
  ['border-strong', 'surface'],
] as const

describe.each(Object.keys(themes))('the colours of the page, %s', name => {
  const theme = themes[name] as Readonly<Record<string, string>>
  const of = ([one, other]: readonly string[]) =>
    contrast(theme[one as string] as string, theme[other as string] as string)

  it.each(texts)('%s can be read on %s', (...pair) => {
    expect(of(pair)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(shapes)('%s can be seen on %s', (...pair) => {
    expect(of(pair)).toBeGreaterThanOrEqual(3)
  })
})

it('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})
