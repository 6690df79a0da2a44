const day: f64 = 86_400
const week: f64 = 7 * day
/** A Monday at 00:00 UTC. */
const monday: f64 = 4 * day

/**
 * The first second of the UTC day (`span` 0), week from Monday (1) or month (2) in which `time` lies.
 * The month is that of the Gregorian calendar, counted in years that begin on 1 March; source: Hinnant,
 * chrono-Compatible Low-Level Date Algorithms.
 */
export function spanStart(time: f64, span: i32): f64 {
  if (span === 0) return floor(time / day) * day
  if (span === 1) return floor((time - monday) / week) * week + monday
  const days = floor(time / day)
  const sinceMarch = days + 719_468
  const era = floor(sinceMarch / 146_097)
  const dayOfEra = sinceMarch - era * 146_097
  const leapDays = floor(dayOfEra / 1460) - floor(dayOfEra / 36_524) + floor(dayOfEra / 146_096)
  const year = floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * year + floor(year / 4) - floor(year / 100))
  const month = floor((5 * dayOfYear + 2) / 153)
  return (days - (dayOfYear - floor((153 * month + 2) / 5))) * day
}
