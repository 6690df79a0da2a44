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
/** A column as a file has it: a list, or runs of equal values with their lengths. */
export type Column = readonly Value[] | { readonly runs: readonly (readonly [Value, number])[] }
export interface Case {
  readonly market: string
  readonly params: object
  /** The library that computed this case, where it is not the source of the file. */
  readonly source?: string
  readonly outputs: Readonly<Record<string, Column>>
}

export function readVector(
  name: string,
): { readonly source: string; readonly cases: readonly Case[] } | undefined
export function writeCases(name: string, source: string, cases: readonly Case[]): void
export function readMarket(name: string): Readonly<Record<string, readonly number[]>>
export function writeVector(name: string, description: Description): Promise<void>
