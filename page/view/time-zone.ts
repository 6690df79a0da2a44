/** The time zone of all times on the page: `utc`, `local` (the device's), or a name such as `America/New_York`. */
export type TimeZoneChoice = string

/** The time zones to choose from, by the places of exchanges. */
export const zoneNames: Readonly<Record<TimeZoneChoice, string>> = {
  utc: 'UTC',
  local: 'Local',
  'America/New_York': 'New York',
  'America/Chicago': 'Chicago',
  'Europe/London': 'London',
  'Europe/Berlin': 'Frankfurt',
  'Asia/Kolkata': 'Mumbai',
  'Asia/Hong_Kong': 'Hong Kong',
  'Asia/Tokyo': 'Tokyo',
  'Australia/Sydney': 'Sydney',
}

export const isTimeZone = (zone: unknown): zone is TimeZoneChoice =>
  typeof zone === 'string' && Object.hasOwn(zoneNames, zone)
