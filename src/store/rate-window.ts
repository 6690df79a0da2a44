/** The length of a rate window. */
export const rateWindowSeconds = 15
export const rateWindowMs = rateWindowSeconds * 1000
