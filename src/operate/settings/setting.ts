import type { Format } from './setting-formats.js'

/** A setting: how its value is read, and what it means. */
export interface Setting<Value> extends Format<Value> {
  /** The value of an absent variable, in the form in which it would be set. */
  readonly default: string
  readonly meaning: string
  /** Whether the value may contain secrets. Such a value is never printed. */
  readonly isSecret: boolean
}

/** A setting whose default is given as it would be set. */
export const setting = <Value>(
  defaultText: string,
  format: Format<Value>,
  meaning: string,
  isSecret = false,
): Setting<Value> => ({ default: defaultText, meaning, isSecret, ...format })
