/** Seconds of a day, and the first Monday of Unix time at 00:00 UTC. */
const day: f64 = 86_400
const monday: f64 = 4 * day

/** Spans of the calendar by their numbers, the shortest first. */
export namespace Span {
  export const day: i32 = 0
  export const week: i32 = 1
  export const month: i32 = 2
  export const year: i32 = 3
  export const count: i32 = 4
}

/** Start of the calendar span that contains `time`, in Unix seconds; all spans begin at 00:00 UTC. */
export function spanStart(span: i32, time: f64): f64 {
  if (span === Span.day) return floor(time / day) * day
  if (span === Span.week) return floor((time - monday) / (7 * day)) * (7 * day) + monday
  return dateStart(floor(time / day), span === Span.year) * day
}

/** End of the span that began at `start`, which is the start of the next span. */
export function spanEnd(span: i32, start: f64): f64 {
  if (span === Span.day) return start + day
  if (span === Span.week) return start + 7 * day
  // Adding the longest month or year to a start leads at most a few days into the next span.
  return spanStart(span, start + (span === Span.year ? 366 : 31) * day)
}

/**
 * The first day of the month or the year of a day; days are counted from 1 January 1970. Years begin in March here, so
 * that a leap day is their last one, and are grouped into eras of 400, all of which have as many days.
 * Source: Hinnant, chrono-Compatible Low-Level Date Algorithms (2013).
 */
function dateStart(dayNumber: f64, isYear: bool): f64 {
  const shifted = dayNumber + 719_468
  const era = floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = floor(
    (dayOfEra - floor(dayOfEra / 1460) + floor(dayOfEra / 36_524) - floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - daysBefore(yearOfEra)
  if (!isYear) return dayNumber - (dayOfYear - floor((153 * floor((5 * dayOfYear + 2) / 153) + 2) / 5))
  // January and February are the days from 306 on of the year that began in the March before.
  if (dayOfYear >= 306) return dayNumber - (dayOfYear - 306)
  const yearBefore = yearOfEra > 0 ? yearOfEra - 1 : 399
  const eraBefore = yearOfEra > 0 ? era : era - 1
  return eraBefore * 146_097 + daysBefore(yearBefore) + 306 - 719_468
}

/** The days of an era before one of its years. */
function daysBefore(yearOfEra: f64): f64 {
  return 365 * yearOfEra + floor(yearOfEra / 4) - floor(yearOfEra / 100)
}
