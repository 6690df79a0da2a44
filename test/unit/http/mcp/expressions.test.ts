import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../../../src/compute/expressions/compile.js'
import { functions } from '../../../../src/compute/expressions/functions.js'
import { grammar } from '../../../../src/http/mcp/server.js'

describe('the grammar for models', () => {
  it('names every function of the language', () => {
    for (const name of Object.keys(functions)) expect(grammar).toContain(`${name}(`)
  })

  it('has examples that are valid', () => {
    const [, often = ''] = grammar.split('## Often needed\n')
    const examples = often
      .trim()
      .split('\n')
      .map(line => line.slice(line.indexOf(': ') + 2))
    expect(examples.length).toBeGreaterThan(7)
    for (const text of examples)
      expect(compileExpression(text, { timeframe: '1h' }), text).not.toHaveProperty('error')
  })
})
