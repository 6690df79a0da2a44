/** How widely an indicator is known: 1 the widely used ones, 2 those that some libraries have, 3 the rare ones. */
export const tiers = [1, 2, 3] as const
export type Tier = (typeof tiers)[number]

/** Libraries and services whose indicators are compared with those of the catalogue, as documents call them. */
export const libraries = {
  talib: 'TA-Lib',
  tulip: 'Tulip',
  pandasta: 'pandas-ta',
  skender: 'Skender',
  ta4j: 'ta4j',
  lean: 'Lean',
  taapi: 'taapi.io',
} as const
export type Library = keyof typeof libraries

/** The scale of the outputs that are numbers. */
export interface Scale {
  /** Bounds of all values, whatever the parameters, where prices are above 0. */
  readonly minimum?: number
  readonly maximum?: number
  /**
   * Values at which charts draw a line, in rising order: limits that the author of the indicator or a widely used chart names,
   * and the value around which it swings. An entry names the source of a limit.
   */
  readonly levels: readonly number[]
}

/** What people read about an indicator. */
export interface About {
  readonly title: string
  /** What it shows, how it is read and where it is weak. */
  readonly description: string
  /** Indicators that are alike or are read together with it. */
  readonly related: readonly string[]
  /** 1 by default. */
  readonly tier?: Tier
  /**
   * Names by which other libraries and charts know it. Searches find them, and a request that uses one is refused with the
   * name of the indicator; they are no indicators of their own.
   */
  readonly otherNames?: readonly string[]
  /** What it is called in the libraries that have it; a note in brackets says in which version. */
  readonly namesElsewhere?: Readonly<Partial<Record<Library, string>>>
}
