// Keys under which a series is stored: one for its head, and one for each chunk, in the order of time.

/** Escapes other characters, because symbols may be in any script and stored keys are ASCII. */
const toAscii = (key: string) =>
  key.replace(/[^!-~]|%/g, unit => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const fromAscii = (text: string) =>
  text.replace(/%([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))

/** Offset of stored times, so that times before 1970 are positive too. */
const timeOffset = 2 ** 40
const timeDigits = 11
/** Largest stored time. Later times, such as Infinity, are stored as this one. */
const maxTime = 16 ** timeDigits - 1
const timeText = (seconds: number) =>
  Math.floor(Math.min(Math.max(seconds + timeOffset, 0), maxTime))
    .toString(16)
    .padStart(timeDigits, '0')

/** Range of keys below a prefix, from the first one to after the last one. The character after "/" is "0". */
const rangeOf = (prefix: string): readonly [from: string, to: string] => [`${prefix}/`, `${prefix}0`]

const headPrefix = 'head/'

export const headKey = (key: string): string => `${headPrefix}${toAscii(key)}`

export const headRange = rangeOf('head')

export const seriesOfHead = (head: string): string => fromAscii(head.slice(headPrefix.length))

/** Key of the chunk whose first candle opens at `first` (Unix seconds). */
export const chunkKey = (key: string, first: number): string => `candles/${toAscii(key)}/${timeText(first)}`

/** Key of the series to which a chunk belongs; undefined if the text is not the key of a chunk. */
export function seriesOfChunk(chunk: string): string | undefined {
  const match = /^candles\/(.+)\/[0-9a-f]{11}$/.exec(chunk)
  return match?.[1] === undefined ? undefined : fromAscii(match[1])
}

export const chunkRange = (key: string) => rangeOf(`candles/${toAscii(key)}`)

/** Key after each chunk that begins at or before `first` (Unix seconds), and before the next chunk. */
export const afterChunk = (key: string, first: number): string => `${chunkKey(key, first)}~`

/** Open time of the first candle of a chunk, in Unix seconds. */
export const timeOfChunk = (chunk: string): number =>
  Number.parseInt(chunk.slice(-timeDigits), 16) - timeOffset

const millisecondDigits = 12

/** Key of the corrections of a series that arrived at a time (Unix seconds, to the millisecond). */
export const correctionKey = (key: string, at: number): string =>
  `corrections/${toAscii(key)}/${Math.max(0, Math.floor(at * 1000))
    .toString(16)
    .padStart(millisecondDigits, '0')}`

export const correctionRange = (key: string) => rangeOf(`corrections/${toAscii(key)}`)

/** Arrival time of corrections, in Unix seconds. */
export const timeOfCorrection = (name: string): number =>
  Number.parseInt(name.slice(-millisecondDigits), 16) / 1000
