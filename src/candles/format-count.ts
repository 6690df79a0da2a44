/** A number with its noun, as in `1 gap` or `3 gaps`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`
