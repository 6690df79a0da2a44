import { catalogue } from '../catalogue/index.js'
import { nameBehind } from '../catalogue/search.js'
import { nearNames } from './hints.js'

/** The indicators that an unknown name may stand for: the one that it is another name of, or else those spelled alike. */
export function nearIndicators(name: string): readonly string[] {
  const behind = nameBehind(name.slice(0, 60))
  return behind !== undefined && catalogue.has(behind) ? [behind] : nearNames(name, catalogue.keys())
}
