import {
  firstView,
  isTimeframe,
  maxStudies,
  newStudyId,
  type Parameters,
  type ParameterValue,
  type Study,
  scales,
  styles,
  type View,
} from './view.js'

/** A value as the address has it; numbers and flags are recognised again when it is read. An expression is always a text. */
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
    // A percent sign of someone who wrote the address by hand.
    return text
  }
}

/** `rsi,period:21,source:hl2`, with a minus sign before a hidden one. */
function writeStudy({ indicator, params, isHidden }: Study): string {
  const parts = Object.entries(params).map(([name, value]) => `${name}:${encode(shielded(String(value)))}`)
  return [`${isHidden ? '-' : ''}${encode(indicator)}`, ...parts].join(',')
}

function readStudy(text: string, studies: readonly Study[]): Study | undefined {
  const [name = '', ...parts] = text.split(',')
  const isHidden = name.startsWith('-')
  const indicator = name.slice(isHidden ? 1 : 0).toLowerCase()
  if (!/^[a-z0-9_]{1,60}$/.test(indicator)) return undefined
  const params: Parameters = Object.fromEntries(
    parts
      .map(part => /^(\w{1,60}):(.*)$/.exec(part))
      .filter(match => match !== null)
      .map(([, parameter, value]) => [
        parameter,
        readValue(parameter as string, unshielded(value as string)),
      ]),
  )
  return { id: newStudyId(indicator, studies), indicator, params, isHidden }
}

/** A field that is one of some words but the first one, which is not written. */
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
}: View): string {
  const manner = [scale && `&scale=${scale}`, style && `&style=${style}`].filter(Boolean).join('')
  const market = `?exchange=${encode(exchange)}&symbol=${encode(symbol)}&timeframe=${timeframe}`
  // A chart without indicators is said with an empty one: without any, the address would mean the first view's.
  const written = studies.length === 0 ? [''] : studies.map(writeStudy)
  return `${market}${manner}${written.map(study => `&indicator=${study}`).join('')}`
}

/** The view of a query string; what it lacks, or what cannot be read, is taken from the first view. */
export function readAddress(search: string): View {
  const fields = new URLSearchParams(search)
  const timeframe = fields.get('timeframe') ?? ''
  const { market } = firstView
  const studies: Study[] = []
  for (const text of fields.getAll('indicator').slice(0, maxStudies)) {
    const study = readStudy(text, studies)
    if (study) studies.push(study)
  }
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
