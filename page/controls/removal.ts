import { shortTitle } from '../model/catalogue.js'
import { expressionIndicator } from '../model/expression.js'
import type { Store } from '../model/store.js'
import { withoutStudy } from '../view/view.js'
import type { Toasts } from './toasts.js'

/** Removes studies from the chart, and takes the last removal back. */
export class Removal {
  readonly #store: Store
  readonly #toasts: Toasts
  #undo: (() => void) | undefined

  constructor(store: Store, toasts: Toasts) {
    this.#store = store
    this.#toasts = toasts
  }

  /** Removes a study, and offers to take that back. */
  remove(id: string): void {
    const before = this.#store.view.value
    const study = before.studies.find(each => each.id === id)
    if (!study) return
    this.#store.change(withoutStudy(before, id))
    const description = this.#store.describe(study.indicator)
    const name =
      study.params[expressionIndicator] ?? (description ? shortTitle(description) : study.indicator)
    this.#undo = () => {
      this.#undo = undefined
      const { studies } = this.#store.view.value
      if (studies.some(each => each.id === id)) return
      const at = before.studies.indexOf(study)
      this.#store.change({ studies: [...studies.slice(0, at), study, ...studies.slice(at)] })
    }
    this.#toasts.show(`${name} is removed`, { label: 'Undo', act: () => this.undo() })
  }

  undo(): void {
    this.#undo?.()
  }
}
