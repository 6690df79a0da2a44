/** A value as a definition gives it, or as a vector stores it. */
export type Value = number | string | boolean | null
/** One list per output. */
export type Outputs = Readonly<Record<string, readonly Value[]>>
export interface Description {
  readonly source: string
  compute(candles: Readonly<Record<string, readonly number[]>>, params: object): Outputs | Promise<Outputs>
  readonly cases: readonly (readonly [market: string, params: object])[]
}

export function readDefinitions(): Promise<Readonly<Record<string, Description>>>
export function readMarket(name: string): Readonly<Record<string, readonly number[]>>
export function writeVector(name: string, description: Description): Promise<void>
