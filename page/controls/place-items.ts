import type { ChartPlace } from '../chart/cursor.js'
import { formatPrice } from '../chart/numbers.js'
import { type AlertRequest, priceText } from '../model/alert-book.js'
import { shortTitle } from '../model/catalogue.js'
import { studyExpression } from '../model/expression.js'
import type { Picture } from '../model/picture.js'
import type { Store } from '../model/store.js'
import type { Drawing } from '../view/drawings.js'
import type { MenuItem } from './chart-menu.js'
import { drawingNames } from './drawing-names.js'
import { copy } from './request-drawer.js'

interface Parts {
  readonly store: Store
  readonly picture: Picture
  readonly decimals: number
  /** The person's drawing at the place, for which the menu has items. */
  readonly drawing: Drawing | undefined
  readonly onAdd: (drawing: Omit<Drawing, 'id'>) => void
  readonly onRemove: (drawing: Drawing) => void
  readonly onLook: (drawing: Drawing) => void
  readonly onText: (drawing: Drawing) => void
  readonly onDate: () => void
  readonly onPicture: () => void
  readonly alert: (request: Pick<AlertRequest, 'expression' | 'on' | 'name'>) => void
}

/** Largest number of studies for whose lines alerts are offered. */
const maxStudies = 4

export function placeItems({ study, value }: ChartPlace, parts: Parts): readonly MenuItem[] {
  const { drawing } = parts
  if (value === undefined) return []
  // At a level drawing, the value of the level counts.
  const exact = (drawing?.kind === 'level' && drawing.points[0]?.value) || value
  const items = study === undefined ? priceItems(exact, parts) : studyItems(study, exact, parts)
  const own = drawing ? drawingItems(drawing, parts) : [levelItem(study, value, parts)]
  return [...items, ...own.map((item, at) => ({ ...item, begins: at === 0 }))]
}

const levelItem = (study: string | undefined, value: number, parts: Parts): MenuItem => {
  const point = { time: 0, value: Number(valueText(study, value, parts)) }
  const text = study === undefined ? formatPrice(value, parts.decimals) : String(point.value)
  const act = () => parts.onAdd({ kind: 'level', study, points: [point] })
  return { label: `Level at ${text}`, act }
}

function drawingItems(drawing: Drawing, { onLook, onText, onRemove }: Parts): readonly MenuItem[] {
  const name = drawingNames[drawing.kind].toLowerCase()
  return [
    ...(drawing.kind === 'text' ? [{ label: 'Change the text …', act: () => onText(drawing) }] : []),
    { label: `Colour of the ${name} …`, act: () => onLook(drawing) },
    { label: `Remove the ${name}`, act: () => onRemove(drawing) },
  ]
}

/** A value as text, with the precision of its pane. */
const valueText = (study: string | undefined, value: number, { decimals }: Parts): string =>
  study === undefined ? priceText(value, decimals) : String(Number(value.toPrecision(4)))

function priceItems(
  price: number,
  { store, picture, decimals, alert, onDate, onPicture }: Parts,
): readonly MenuItem[] {
  const text = priceText(price, decimals)
  const lines = store.view.value.studies.flatMap(study => {
    const description = picture.studies.get(study.id)?.description
    const output = description?.outputs.findIndex(({ kind }) => kind === 'number') ?? -1
    if (!description?.overlay || output < 0) return []
    const name = `price crosses ${study.params.expression ?? shortTitle(description)}`
    const expression = `cross(close, ${studyExpression(study, description, output)})`
    return [{ label: `Alert when ${name}`, act: () => alert({ expression, name, on: 'update' }) }]
  })
  const crosses = `price crosses ${formatPrice(price, decimals)}`
  return [
    {
      label: `Alert when ${crosses}`,
      act: () => alert({ expression: `cross(close, ${text})`, name: crosses, on: 'update' }),
    },
    ...lines.slice(0, maxStudies),
    { label: `Copy ${text}`, act: () => void copy(text) },
    { label: 'Go to a date …', act: onDate },
    { label: 'Save as a picture', act: onPicture },
  ]
}

function studyItems(id: string, value: number, parts: Parts): readonly MenuItem[] {
  const { store, picture, alert } = parts
  const study = store.view.value.studies.find(each => each.id === id)
  const description = picture.studies.get(id)?.description
  const output = description?.outputs.findIndex(({ kind }) => kind === 'number') ?? -1
  if (!study || !description || output < 0) return []
  const levels = [valueText(id, value, parts), ...(description.scale?.levels ?? []).map(String)]
  const name = study.params.expression ?? shortTitle(description)
  return [...new Set(levels)].map(text => ({
    label: `Alert when ${name} crosses ${text}`,
    act: () =>
      alert({
        expression: `cross(${studyExpression(study, description, output)}, ${text})`,
        name: `${name} crosses ${text}`.slice(0, 100),
      }),
  }))
}
