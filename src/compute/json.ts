/** A number as JSON: the shortest text that reads back the same, null where there is no value. */
export const numberText = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null')

/** Values `from…to` of a column as the inside of a JSON array. */
export function listText(
  column: ArrayLike<number>,
  from: number,
  to: number,
  text: (value: number) => string,
): string {
  let list = ''
  for (let i = from; i < to; i++)
    list += i === from ? text(column[i] as number) : `,${text(column[i] as number)}`
  return list
}
