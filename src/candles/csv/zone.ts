/** A zone of times: seconds ahead of UTC, or a name of the IANA database such as `America/New_York`. */
export type Zone = number | string

const daySeconds = 86_400
const farthestSeconds = 14 * 3600
/** Hours whose offset is remembered for each zone. */
const mostHours = 50_000

/** The zone that a text names: `Z`, `UTC`, `+00`, `+01:00`, `GMT+0100` or `US/Eastern`. Undefined for any other text. */
export function parseZone(text: string): Zone | undefined {
  const [, sign, hours, minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d\d):?(\d\d)?$/i.exec(text) ?? []
  if (sign !== undefined) {
    const seconds = Number(hours) * 3600 + Number(minutes) * 60
    if (seconds > farthestSeconds || Number(minutes) > 59) return undefined
    return sign === '-' ? 0 - seconds : seconds
  }
  if (/^(?:Z|UTC|GMT)$/i.test(text)) return 0
  return text.includes('/') && clockOf(text) ? text : undefined
}

/**
 * Unix seconds of a local time, whose date and time of day are those of `local` in UTC. Undefined where clocks of the zone were put
 * forward over this time, and where they were put back so that there are two such times.
 */
export function toUnixTime(local: number, zone: Zone): number | undefined {
  if (typeof zone === 'number') return local - zone
  const [before, after] = [offsetAt(zone, local - daySeconds), offsetAt(zone, local + daySeconds)]
  if (before === after) return local - before
  const fitting = [before, after].filter(offset => offsetAt(zone, local - offset) === offset)
  return fitting.length === 1 ? local - (fitting[0] as number) : undefined
}

const clocks: Record<string, Intl.DateTimeFormat | undefined> = {}
let offsets: Record<string, number> = {}
let offsetCount = 0

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = clocks[zone]
  if (known) return known
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields })
    clocks[zone] = clock
    return clock
  } catch {
    return undefined
  }
}

/** How far a zone is ahead of UTC at a Unix time, in seconds. Changes happen at full hours of UTC, or at half ones. */
function offsetAt(zone: string, time: number): number {
  const slot = Math.floor(time / 1800) * 1800
  const key = `${zone} ${slot}`
  const known = offsets[key]
  if (known !== undefined) return known
  const parts = (clockOf(zone) as Intl.DateTimeFormat).formatToParts(slot * 1000)
  const [month, day, year, hour, minute] = parts
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => Number(value)) as [number, number, number, number, number]
  const offset = Date.UTC(year, month - 1, day, hour, minute) / 1000 - slot
  if (++offsetCount > mostHours) {
    offsets = {}
    offsetCount = 0
  }
  offsets[key] = offset
  return offset
}
