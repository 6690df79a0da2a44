/** Tiers of indicators: 1 widely used, 2 in some libraries, 3 rare. */
export const tiers = [1, 2, 3] as const
export type Tier = (typeof tiers)[number]

/** Names of the libraries and services whose indicators are compared with those of the catalogue. */
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

/** The scale of the numeric outputs. */
export interface Scale {
  /** Bounds of all values, for any parameters and prices above 0. */
  readonly minimum?: number
  readonly maximum?: number
  /**
   * Values at which charts draw a line, ascending: limits that the author of the indicator or a widely used chart names, and
   * the value around which the indicator swings. An entry names the source of a limit.
   */
  readonly levels: readonly number[]
}

/** Texts for people about an indicator. */
export interface About {
  readonly title: string
  /** Purpose, interpretation and weaknesses. */
  readonly description: string
  /** Indicators that are similar or are read together with it. */
  readonly related: readonly string[]
  /** 1 by default. */
  readonly tier?: Tier
  /**
   * Its names in other libraries and charts. Searches find them. A request that uses one is refused with the name of the
   * indicator.
   */
  readonly otherNames?: readonly string[]
  /** Its name in each library that has it; a note in brackets gives the version. */
  readonly namesElsewhere?: Readonly<Partial<Record<Library, string>>>
}
