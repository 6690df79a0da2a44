import { invalid, type Refusal } from './refusal.js'

/** `since` is from when on it is known which candles were others. */
export const notKnownAsOf = (time: string, since: string): Refusal =>
  invalid`The candles of ${time} are not known as they were then: corrections are stored since ${since}`

export const correctionsNotStored = (): Refusal =>
  invalid`The candles are not known as they were: their corrections are not stored. CORRECTIONS_DAYS says for how long they are, and a shared store has none`
