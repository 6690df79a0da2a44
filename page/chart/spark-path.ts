/**
 * The path of a line through values from left to right, scaled to the width and height of the area. The height spans the
 * least to the greatest value, or `range`. Empty for less than two values.
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
    // Equal values are a line in the middle.
    const share = span > 0 ? (value - low) / span : 0.5
    return `${Number((at * step).toFixed(1))} ${Number(((1 - share) * height).toFixed(1))}`
  })
  return `M${points.join('L')}`
}
