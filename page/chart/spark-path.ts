/** The path of a line through values from left to right, as high and as wide as the area; empty for less than two. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return ''
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const step = width / (values.length - 1)
  const points = values.map((value, at) => {
    // Values that are all the same are a line in the middle.
    const share = span > 0 ? (value - low) / span : 0.5
    return `${Number((at * step).toFixed(1))} ${Number(((1 - share) * height).toFixed(1))}`
  })
  return `M${points.join('L')}`
}
