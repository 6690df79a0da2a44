import type { Indicator } from './define.js'

export const chart = {} satisfies Record<string, Indicator>
