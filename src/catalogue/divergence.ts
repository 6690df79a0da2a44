import type { Indicator } from './define.js'

export const divergence = {} satisfies Record<string, Indicator>
