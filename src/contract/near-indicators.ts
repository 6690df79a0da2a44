import { catalogue } from '../catalogue/index.js'
import { nameBehind, namesTitled } from '../catalogue/search.js'
import { nearNames } from './hints.js'

/**
 * Indicators that an unknown name may mean: the indicator with this alias, else the indicators with this title, else
 * similar spellings.
 */
export function nearIndicators(name: string): readonly string[] {
  const aliased = aliasedIndicators(name)
  return aliased.length > 0 ? aliased : nearNames(name, catalogue.keys())
}

/** The indicator with an alias, else the indicators with a title. */
export function aliasedIndicators(name: string): readonly string[] {
  const behind = nameBehind(name.slice(0, 60))
  if (behind !== undefined && catalogue.has(behind)) return [behind]
  return namesTitled(name.slice(0, 60))
}

/** Path of the indicator named by the last part of an unknown path. */
export function nearPaths(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return catalogue.has(name) ? [`/indicator/${name}`] : []
}
