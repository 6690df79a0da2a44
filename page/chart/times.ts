import { type TimeZoneChoice, zoneNames } from '../view/time-zone.js'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(times: TimeZoneChoice, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = times + JSON.stringify(parts)
  let found = formats.get(key)
  if (!found) {
    const zone = times === 'local' ? {} : { timeZone: times }
    found = new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...parts, ...zone })
    formats.set(key, found)
  }
  return found
}

const day = { day: 'numeric', month: 'short', year: 'numeric', weekday: 'short' } as const
const clock = { hour: '2-digit', minute: '2-digit' } as const

/** A time as the crosshair shows it. A candle of a day or longer has the UTC date of its open, whatever the zone. */
export function formatTime(timestamp: number, times: TimeZoneChoice, isIntraday: boolean): string {
  const date = new Date(timestamp * 1000)
  const text = format(isIntraday ? times : 'utc', day).format(date)
  return isIntraday ? `${text} ${format(times, clock).format(date)}` : text
}

/** A time for a table: sortable, to the minute. */
export function formatTableTime(timestamp: number, times: TimeZoneChoice): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', ...clock } as const
  const found = format(times, parts).formatToParts(new Date(timestamp * 1000))
  const part = (type: string) => found.find(each => each.type === type)?.value
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`
}

/** The marks of the time axis: 0 years, 1 months, 2 days, 3 times, 4 times with seconds. */
export function formatTick(
  timestamp: number,
  kind: number,
  times: TimeZoneChoice,
  now: Date = new Date(),
): string {
  const date = new Date(timestamp * 1000)
  const year = { year: 'numeric' } as const
  // Without the year, old candles would look like those of this year.
  const old = format(times, year).format(date) === format(times, year).format(now) ? {} : year
  switch (kind) {
    case 0:
      return format(times, { year: 'numeric' }).format(date)
    case 1:
      return format(times, { month: 'short', ...old }).format(date)
    case 2:
      return format(times, { day: 'numeric', month: 'short', ...old }).format(date)
    default:
      return format(times, clock).format(date)
  }
}

/** The time until a candle closes: `4:09`, `2:04:09`, `3d 02h`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const [days, hours] = [Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3600)]
  if (days > 0) return `${days}d ${two(hours)}h`
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** A time zone as its offset at a time: `UTC`, `UTC−5`, `UTC+5:30`. */
export function zoneText(times: TimeZoneChoice, now: Date = new Date()): string {
  const parts = format(times, { timeZoneName: 'shortOffset' }).formatToParts(now)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return offset.replace('GMT', 'UTC').replace('-', '−').replace(/\+0$/, '')
}

/** The time zones to choose from, with their names and offsets: `New York (UTC−5)`. */
export const timeZones = (): readonly (readonly [zone: TimeZoneChoice, label: string])[] =>
  Object.entries(zoneNames).map(([zone, name]) => [
    zone,
    zone === 'utc' ? name : `${name} (${zoneText(zone)})`,
  ])

/** A length of time in its two largest units: `3d 4h`, `45m`. Steps of days or more use days only. */
export function formatSpan(seconds: number, step: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ] as const
  const least = step >= 86_400 ? 86_400 : 60
  const texts: string[] = []
  let rest = seconds
  for (const [unit, size] of units) {
    const count = size < least ? 0 : Math.floor(rest / size)
    rest -= count * size
    if (count > 0) texts.push(`${count}${unit}`)
  }
  return texts.slice(0, 2).join(' ') || '0m'
}
