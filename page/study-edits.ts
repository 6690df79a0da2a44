import type { FormDrawer } from './controls/form-drawer.js'
import type { IndicatorPalette } from './controls/indicator-palette.js'
import { editStudyLook } from './controls/study-look.js'
import type { Toasts } from './controls/toasts.js'
import { shortTitle } from './model/catalogue.js'
import { expressionIndicator } from './model/expression.js'
import type { Picture } from './model/picture.js'
import type { Store } from './model/store.js'
import { withChangedStudy, withoutStudy, withStudy } from './view/view.js'

interface Parts {
  readonly store: Store
  readonly toasts: Toasts
  readonly host: HTMLElement
  readonly picture: () => Picture
  readonly form: () => FormDrawer
  readonly indicators: () => IndicatorPalette
}

/** Acts of a person on the studies of the chart. */
export class StudyEdits {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Opens the settings of a study, or its expression. */
  edit(id: string): void {
    const { store, indicators, form, picture } = this.#parts
    const study = store.view.value.studies.find(each => each.id === id)
    const expression = study?.params[expressionIndicator]
    if (expression !== undefined) indicators().edit(id, String(expression))
    const description = study && store.describe(study.indicator)
    // The description of an expression is not in the catalogue.
    if (!study || !description) return
    form().open(study, description)
    form().showError(picture().studies.get(id)?.error)
  }

  /** Plots an expression instead of a study, or as an additional one. */
  plot(expression: string, id: string | undefined): void {
    const { store } = this.#parts
    const view = store.view.value
    const params = { expression }
    // An expression that is already on the chart is not drawn twice.
    const isThere = view.studies.some(study => study.params.expression === expression)
    if (id !== undefined) store.change(withChangedStudy(view, id, { params }))
    else if (!isThere) store.change(withStudy(view, expressionIndicator, params))
  }

  hide(id: string): void {
    const { store } = this.#parts
    const view = store.view.value
    const isHidden = !view.studies.find(study => study.id === id)?.isHidden
    store.change(withChangedStudy(view, id, { isHidden }))
  }

  /** Opens a dialog for the colours and the line width of a study. */
  editLook(id: string): void {
    const { store, picture, host } = this.#parts
    editStudyLook(store, id, picture().studies.get(id)?.description, () => host.focus())
  }

  /** Removes a study, and offers to undo it. */
  remove(id: string): void {
    const { store, toasts } = this.#parts
    const before = store.view.value
    const study = before.studies.find(each => each.id === id)
    if (!study) return
    store.change(withoutStudy(before, id))
    const description = store.describe(study.indicator)
    const name =
      study.params[expressionIndicator] ?? (description ? shortTitle(description) : study.indicator)
    toasts.showRemoval(`${name} is removed`, store.undo, () => {
      const { studies } = store.view.value
      if (studies.some(each => each.id === id)) return
      const at = before.studies.indexOf(study)
      store.change({ studies: [...studies.slice(0, at), study, ...studies.slice(at)] })
    })
  }
}
