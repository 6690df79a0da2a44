import { catalogue } from '../catalogue/index.js'
import { nameBehind, namesTitled } from '../catalogue/search.js'
import { nearNames } from './hints.js'

/**
 * Indicators that an unknown name may mean: the indicator with this alias, else the indicators with this title, else
 * similar spellings.
 */
export function nearIndicators(name: string): readonly string[] {
  const behind = nameBehind(name.slice(0, 60))
  if (behind !== undefined && catalogue.has(behind)) return [behind]
  const titled = namesTitled(name.slice(0, 60))
  return titled.length > 0 ? titled : nearNames(name, catalogue.keys())
}

/** Path of the indicator named by the last part of an unknown path. */
export function nearPaths(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return catalogue.has(name) ? [`/indicator/${name}`] : []
}
