// The keys under which a series is stored: one for its head, and one for each chunk, in the order of time.

/** Symbols may be in any script, stored keys are ASCII. */
const toAscii = (key: string) =>
  key.replace(/[^!-~]|%/g, unit => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const fromAscii = (text: string) =>
  text.replace(/%([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))

/** What is added to times, so that those before 1970 are positive too. */
const timeOffset = 2 ** 40
const timeDigits = 11
/** Later times, such as Infinity, are as this one. */
const maxTime = 16 ** timeDigits - 1
const timeText = (seconds: number) =>
  Math.floor(Math.min(Math.max(seconds + timeOffset, 0), maxTime))
    .toString(16)
    .padStart(timeDigits, '0')

const headPrefix = 'head/'

/** The key of a series' head. */
export const headKey = (key: string): string => `${headPrefix}${toAscii(key)}`

/** From the first head to after the last one; the character after "/" is "0". */
export const headRange = [headPrefix, 'head0'] as const

/** The key of the series to which a head belongs. */
export const seriesOfHead = (head: string): string => fromAscii(head.slice(headPrefix.length))

/** The key of the chunk whose first candle opens at `first` (Unix seconds). */
export const chunkKey = (key: string, first: number): string => `candles/${toAscii(key)}/${timeText(first)}`

/** The key of the series to which a chunk belongs; undefined for what is no key of a chunk. */
export function seriesOfChunk(chunk: string): string | undefined {
  const match = /^candles\/(.+)\/[0-9a-f]{11}$/.exec(chunk)
  return match?.[1] === undefined ? undefined : fromAscii(match[1])
}

/** From the first chunk of a series to after its last one. */
export const chunkRange = (key: string): readonly [from: string, to: string] => [
  `candles/${toAscii(key)}/`,
  `candles/${toAscii(key)}0`,
]

/** After a chunk that begins at the time `first` (Unix seconds) or before it, and before the next one. */
export const afterChunk = (key: string, first: number): string => `${chunkKey(key, first)}~`

/** When the first candle of a chunk opens, in Unix seconds. */
export const timeOfChunk = (chunk: string): number =>
  Number.parseInt(chunk.slice(-timeDigits), 16) - timeOffset

/** Digits of milliseconds since 1970. */
const millisecondDigits = 12

/** The key of the corrections of a series that arrived at a time (Unix seconds, to the millisecond). */
export const correctionKey = (key: string, at: number): string =>
  `corrections/${toAscii(key)}/${Math.max(0, Math.floor(at * 1000))
    .toString(16)
    .padStart(millisecondDigits, '0')}`

/** From the first corrections of a series to after its last ones. */
export const correctionRange = (key: string): readonly [from: string, to: string] => [
  `corrections/${toAscii(key)}/`,
  `corrections/${toAscii(key)}0`,
]

/** When corrections arrived, in Unix seconds. */
export const timeOfCorrection = (name: string): number =>
  Number.parseInt(name.slice(-millisecondDigits), 16) / 1000
