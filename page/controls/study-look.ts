import { wordsOf } from '../chart/shape.js'
import { colourCount } from '../chart/study-drawing.js'
import { type Description, shortTitle } from '../model/catalogue.js'
import { conditionExpression } from '../model/expression.js'
import type { Store } from '../model/store.js'
import { withChangedStudy } from '../view/view.js'
import { openLook } from './look-dialog.js'

/** Labels of the colours of an indicator: the names of the outputs with each colour. */
export function colourLabels(description: Description): readonly string[] {
  const count = description === conditionExpression ? 1 : colourCount(description)
  if (count < 2) return ['Colour'].slice(0, count)
  return Array.from({ length: count }, (_, at) => {
    const shapes = description.drawing.filter(({ colour }) => colour === at + 1)
    const names = [...new Set(shapes.flatMap(({ outputs }) => outputs))].map(wordsOf).slice(0, 3).join(', ')
    return names === '' ? `Colour ${at + 1}` : `${names[0]?.toUpperCase()}${names.slice(1)}`
  })
}

/** Lets a person choose the colours of a study and the width of its lines. */
export function editStudyLook(
  store: Store,
  id: string,
  description: Description | undefined,
  onClose: () => void,
): void {
  const study = store.view.value.studies.find(each => each.id === id)
  if (!study || !description) return
  const hasLines = description.drawing.some(({ kind }) =>
    ['line', 'steps', 'level', 'trendline', 'segments'].includes(kind),
  )
  openLook({
    title: `Colours of ${study.params.expression ?? shortTitle(description)}`,
    labels: colourLabels(description),
    look: { colours: study.colours ?? [], width: study.width },
    hasWidth: hasLines,
    onChange: ({ colours, width }) =>
      store.change(
        withChangedStudy(store.view.value, id, {
          colours: colours.some(place => place >= 0) ? colours : undefined,
          width,
        }),
      ),
    onClose,
  })
}
