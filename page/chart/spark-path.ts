/**
 * The path of a line through values from left to right, as wide as the area and as high as it from the least to the greatest of them,
 * or of `range`; empty for less than two.
 */
export function sparkPath(
  values: readonly number[],
  width: number,
  height: number,
  range: readonly number[] = values,
): string {
  if (values.length < 2) return ''
  const low = Math.min(...range)
  const span = Math.max(...range) - low
  const step = width / (values.length - 1)
  const points = values.map((value, at) => {
    // Values that are all the same are a line in the middle.
    const share = span > 0 ? (value - low) / span : 0.5
    return `${Number((at * step).toFixed(1))} ${Number(((1 - share) * height).toFixed(1))}`
  })
  return `M${points.join('L')}`
}
