// A transform of the AssemblyScript compiler: a loop over pairs of candles that does a few operations with vectors and nothing
// else takes four pairs a round. `for (let i = from; i < to; i += 2) out.setPair(i, f64x2.abs(x.pair(i)))` becomes
//
//   let i = from
//   for (; i + 6 < to; i += 8) {
//     out.setPair(i, f64x2.abs(x.pair(i)))
//     out.setSecondPair(i, f64x2.abs(x.secondPair(i)))
//     out.setThirdPair(i, f64x2.abs(x.thirdPair(i)))
//     out.setFourthPair(i, f64x2.abs(x.fourthPair(i)))
//   }
//   for (; i < to; i += 2) out.setPair(i, f64x2.abs(x.pair(i)))
//
// A round computes each address once (`Column.secondPair`). Loops that call functions or branch stay unchanged. So do loops that
// divide, because a division takes longer than the rest of its round (docs/adr/0043-kernels-without-branches-on-prices.md).
//
// A recurrence, the loop of a function that calls `endsOdd`, takes two pairs a round: `{ body of i } { body of i + 2 }`. The
// variables that it carries then need no copies from register to register.
import { Node, NodeKind, Source, SourceKind, Token, Tokenizer } from 'assemblyscript'
import { Transform } from 'assemblyscript/transform'

export default class UnrolledLoops extends Transform {
  afterParse(parser) {
    for (const source of parser.sources) if (!source.isLibrary) unrollWithin(source, parser)
  }
}

/** Unrolls the loops below a node. */
function unrollWithin(node, parser, isRecurrence = false) {
  for (const [name, value] of Object.entries(node)) {
    if (Array.isArray(value)) node[name] = value.map(each => unrolled(each, parser, isRecurrence))
    else node[name] = unrolled(value, parser, isRecurrence)
  }
}

/** The node with the loops in it unrolled; other values are returned unchanged. */
function unrolled(node, parser, isRecurrence) {
  if (!isNode(node)) return node
  const isOfRecurrence =
    node.kind === NodeKind.FunctionDeclaration ? textOf(node).includes('endsOdd(') : isRecurrence
  unrollWithin(node, parser, isOfRecurrence)
  if (!isLoopOverPairs(node)) return node
  const { initializer, condition, body, range } = node
  const [index, end] = [textOf(condition.left), textOf(condition.right)]
  const rounds = isOfRecurrence
    ? [textOf(body), textOfNextPair(body, index)]
    : ['', 'Second', 'Third', 'Fourth'].map(which => `{ ${textOfPair(body, which)} }`)
  if (!isOfRecurrence && !(isShort(body) && calculatesOnly(body))) return node
  const candles = 2 * rounds.length
  const text = `{
    ${initializer ? textOf(initializer) : ''}
    for (; ${index} + ${candles - 2} < ${end}; ${index} += ${candles}) { ${rounds.join('\n')} }
    for (; ${index} < ${end}; ${index} += 2) ${textOf(body)}
  }`
  const { normalizedPath } = range.source
  return parser.parseStatement(new Tokenizer(new Source(SourceKind.User, normalizedPath, text)))
}

const isNode = value => value instanceof Node && value.kind !== NodeKind.Source

const textOf = ({ range }) => range.source.text.slice(range.start, range.end)

/** The body of a loop, for the pair that many pairs after the first of a round. */
const textOfPair = (body, which) =>
  textOf(body)
    .replaceAll('.setPair(', `.set${which}Pair(`)
    .replaceAll('.pair(', which === '' ? '.pair(' : `.${which.toLowerCase()}Pair(`)

/** The body of a loop, for the pair after the first one of a round. */
const textOfNextPair = (body, index) =>
  textOf(body).replace(new RegExp(`(?<![.\\w])${index}(?!\\w)`, 'g'), `(${index} + 2)`)

/** Whether a node is a loop `for (…; i < to; i += 2)`. */
function isLoopOverPairs({ kind, condition, incrementor }) {
  if (kind !== NodeKind.For || !condition || !incrementor) return false
  const names = [condition.left, condition.right].map(side => side?.kind === NodeKind.Identifier)
  return (
    names.every(Boolean) &&
    condition.operator === Token.LessThan &&
    textOf(incrementor) === `${condition.left.text} += 2`
  )
}

const statements = [NodeKind.Block, NodeKind.Expression, NodeKind.Variable, NodeKind.VariableDeclaration]
const operands = [NodeKind.Identifier, NodeKind.Literal, NodeKind.PropertyAccess]
const arithmetic = [Token.Plus, Token.Minus, Token.Asterisk]

/** Whether the body of a loop has few operations; with more of them, the saving of a round makes no difference. */
const isShort = body => (textOf(body).match(/f64x2\.(?!splat)/g) ?? []).length <= 5

/** Whether the body of a loop reads pairs, calculates with vectors and stores pairs, and does nothing else. */
function calculatesOnly(node) {
  if (Array.isArray(node)) return node.every(calculatesOnly)
  if (!isNode(node)) return true
  const { kind } = node
  if (kind === NodeKind.Call) return isPairOrVector(node.expression) && calculatesOnly(node.args)
  if (kind === NodeKind.Binary && !arithmetic.includes(node.operator)) return false
  if (kind !== NodeKind.Binary && ![...statements, ...operands].includes(kind)) return false
  return Object.values(node).every(calculatesOnly)
}

/** Whether what is called is `column.pair`, `column.setPair` or an operation of vectors. */
function isPairOrVector({ expression, property }) {
  if (expression?.kind !== NodeKind.Identifier) return false
  if (['pair', 'setPair'].includes(property.text)) return true
  return ['f64x2', 'v128'].includes(expression.text) && !['div', 'sqrt'].includes(property.text)
}
