// A transform of the AssemblyScript compiler: `for (init; condition; step) body` becomes
//
//   init; if (condition) do { body; step } while (condition)
//
// V8 moves a calculation out of a loop only if every way out of the loop passes it. That holds for the body of this form,
// but not for the other one, which divides 2 / (period + 1) again at each candle
// (docs/adr/0043-kernels-without-branches-on-prices.md).
import { Node, NodeKind } from 'assemblyscript'
import { Transform } from 'assemblyscript/transform'

export default class InvertedLoops extends Transform {
  afterParse(parser) {
    for (const source of parser.sources) if (!source.isLibrary) invertWithin(source)
  }
}

const loops = [NodeKind.For, NodeKind.ForOf, NodeKind.While, NodeKind.Do]

/** Inverts the loops below a node. */
function invertWithin(node) {
  for (const [name, value] of Object.entries(node)) {
    if (Array.isArray(value)) node[name] = value.map(inverted)
    else node[name] = inverted(value)
  }
}

/** The node with all loops in it inverted; other values are returned unchanged. */
function inverted(node) {
  if (!(node instanceof Node) || node.kind === NodeKind.Source) return node
  invertWithin(node)
  const { kind, condition, body, range } = node
  if ((kind !== NodeKind.For && kind !== NodeKind.While) || !condition) return node
  const statements = [body]
  if (kind === NodeKind.For) {
    // `continue` would skip the step.
    if (continues(body)) return node
    if (node.incrementor) statements.push(Node.createExpressionStatement(node.incrementor))
  }
  const loop = Node.createDoStatement(Node.createBlockStatement(statements, range), condition, range)
  const guarded = Node.createIfStatement(condition, loop, null, range)
  return node.initializer ? Node.createBlockStatement([node.initializer, guarded], range) : guarded
}

/** Whether a statement continues the loop around it. */
function continues(node) {
  if (Array.isArray(node)) return node.some(continues)
  if (!(node instanceof Node) || loops.includes(node.kind)) return false
  return node.kind === NodeKind.Continue || Object.values(node).some(continues)
}
