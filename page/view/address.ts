import { lineWidths } from './drawings.js'
import {
  firstView,
  isTimeframe,
  marketOf,
  maxCompared,
  maxStudies,
  newStudyId,
  type Parameters,
  type ParameterValue,
  type Study,
  scales,
  styles,
  type View,
} from './view.js'

/** Parses a value of the address; numbers and flags are recognised. An expression is always a text. */
const readValue = (name: string, text: string): ParameterValue => {
  if (name === 'expression') return text
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? number : text
}

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/')

/** A text in which commas and colons do not end anything, however often a mail program encodes the address. */
const shielded = (text: string) => text.replace(/[%,:]/g, encodeURIComponent)

function unshielded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign in an address written by hand.
    return text
  }
}

/** Names in addition to those of parameters, none of which begins with an underscore. */
const [coloursName, widthName] = ['_colours', '_width']

/** `rsi,period:21,source:hl2`, with a minus sign before a hidden study, and with chosen colours and width. */
function writeStudy({ indicator, params, isHidden, colours, width }: Study): string {
  const look = {
    ...(colours ? { [coloursName]: colours.join('_') } : {}),
    ...(width === undefined ? {} : { [widthName]: width }),
  }
  const parts = Object.entries({ ...params, ...look }).map(
    ([name, value]) => `${name}:${encode(shielded(String(value)))}`,
  )
  return [`${isHidden ? '-' : ''}${encode(indicator)}`, ...parts].join(',')
}

function readStudy(text: string, studies: readonly Study[]): Study | undefined {
  const [name = '', ...parts] = text.split(',')
  const isHidden = name.startsWith('-')
  const indicator = name.slice(isHidden ? 1 : 0).toLowerCase()
  if (!/^[a-z0-9_]{1,60}$/.test(indicator)) return undefined
  const {
    [coloursName]: colours,
    [widthName]: width,
    ...params
  }: Parameters = Object.fromEntries(
    parts
      .map(part => /^(\w{1,60}):(.*)$/.exec(part))
      .filter(match => match !== null)
      .map(([, parameter, value]) => [
        parameter,
        readValue(parameter as string, unshielded(value as string)),
      ]),
  )
  const id = newStudyId(indicator, studies)
  return { id, indicator, params, isHidden, ...readLook(colours, width) }
}

/** The valid choices of the colours and the width of a study. */
function readLook(colours: ParameterValue | undefined, width: ParameterValue | undefined): Partial<Study> {
  const places = colours === undefined ? [] : String(colours).split('_').slice(0, 8).map(Number)
  const isRight =
    places.length > 0 && places.every(place => Number.isInteger(place) && place >= -1 && place < 8)
  return {
    ...(isRight ? { colours: places } : {}),
    ...(lineWidths.some(each => each === width) ? { width: Number(width) } : {}),
  }
}

/** A field with one of several words, except the first one, which is the default and omitted. */
function chosen<Name extends string, Word extends string>(
  name: Name,
  words: readonly Word[],
  fields: URLSearchParams,
): { readonly [Field in Name]?: Word } {
  const word = words.slice(1).find(each => each === fields.get(name))
  return (word === undefined ? {} : { [name]: word }) as { readonly [Field in Name]?: Word }
}

/** The query string of a view, with its question mark. It never contains a key. */
export function writeAddress({
  market: { exchange, symbol, timeframe },
  studies,
  scale,
  style,
  compared = [],
}: View): string {
  const others = compared.map(key => `&compare=${encode(key)}`)
  const manner = [scale && `&scale=${scale}`, style && `&style=${style}`, ...others].filter(Boolean).join('')
  const market = `?exchange=${encode(exchange)}&symbol=${encode(symbol)}&timeframe=${timeframe}`
  // An empty one stands for a chart without indicators: without any, the address would mean the first view's.
  const written = studies.length === 0 ? [''] : studies.map(writeStudy)
  return `${market}${manner}${written.map(study => `&indicator=${study}`).join('')}`
}

/** The view of a query string; missing and invalid parts are those of the first view. */
export function readAddress(search: string): View {
  const fields = new URLSearchParams(search)
  const timeframe = fields.get('timeframe') ?? ''
  const { market } = firstView
  const studies: Study[] = []
  for (const text of fields.getAll('indicator').slice(0, maxStudies)) {
    const study = readStudy(text, studies)
    if (study) studies.push(study)
  }
  const compared = fields.getAll('compare').filter(key => marketOf(key, '1d'))
  const symbol = (fields.get('symbol') ?? '').replace(/[/-]/g, '').toUpperCase().slice(0, 100)
  return {
    market: {
      exchange: (fields.get('exchange') ?? '').toLowerCase().slice(0, 100) || market.exchange,
      symbol: symbol || market.symbol,
      timeframe: isTimeframe(timeframe) ? timeframe : market.timeframe,
    },
    studies: fields.has('indicator') ? studies : firstView.studies,
    ...chosen('scale', scales, fields),
    ...chosen('style', styles, fields),
    ...(compared.length > 0 ? { compared: [...new Set(compared)].slice(0, maxCompared) } : {}),
  }
}

/** The key of a fragment, `#key=…`, and the fragment without it. */
export function takeKey(hash: string): { readonly key: string | undefined; readonly rest: string } {
  const parts = hash.replace(/^#/, '').split('&').filter(Boolean)
  const found = parts.find(part => part.startsWith('key='))
  const rest = parts.filter(part => !part.startsWith('key=')).join('&')
  const key = found && unshielded(found.slice('key='.length)).trim()
  return { key: key || undefined, rest: rest && `#${rest}` }
}
