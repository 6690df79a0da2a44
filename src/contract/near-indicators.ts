import { catalogue } from '../catalogue/index.js'
import { nameBehind, namesTitled } from '../catalogue/search.js'
import { nearNames } from './hints.js'

/**
 * The indicators that an unknown name may stand for: the one that it is another name of, or else those of this title, or
 * else those spelled alike.
 */
export function nearIndicators(name: string): readonly string[] {
  const behind = nameBehind(name.slice(0, 60))
  if (behind !== undefined && catalogue.has(behind)) return [behind]
  const titled = namesTitled(name.slice(0, 60))
  return titled.length > 0 ? titled : nearNames(name, catalogue.keys())
}

/** The path of the indicator that the end of an unknown path names. */
export function nearPaths(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return catalogue.has(name) ? [`/indicator/${name}`] : []
}
