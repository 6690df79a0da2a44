import { InvalidArgumentError } from 'commander'

/** Parses an option that is an integer of `min` or more, and of `max` or less where that is given. */
export const integer =
  (min: number, max?: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value
    throw new InvalidArgumentError(
      `Expected an integer ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}.`,
    )
  }
