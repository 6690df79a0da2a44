import { catalogue } from '#dist/catalogue/index.js'
import { compileExpression, compileExpressions } from '#dist/compute/expressions/compile.js'
import { nearIndicators } from '#dist/contract/near-indicators.js'
import { readIndicatorSpec } from '#dist/contract/query.js'
import { fieldsOf } from '#dist/contract/fields.js'
import { isRefusal, unknownIndicator } from '#dist/contract/refusals.js'

globalThis.ask = text => {
  const asked = JSON.parse(text)
  if (asked.expression) return JSON.stringify(compileExpression(asked.expression, { timeframe: asked.timeframe }))
  const indicator = catalogue.get(asked.name) ?? unknownIndicator(asked.name.slice(0, 60), nearIndicators(asked.name))
  if (isRefusal(indicator)) return JSON.stringify(indicator)
  const spec = readIndicatorSpec(indicator, fieldsOf(asked.params), 'json')
  return JSON.stringify(isRefusal(spec) ? spec : { ...spec, indicator: undefined, lookback: indicator.lookback(spec.params)})
}
