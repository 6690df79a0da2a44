// A transform of the AssemblyScript compiler: a function that begins with `Halves.interleave(weight, numbers)` computes two
// halves of a long series in one loop. A processor then works on one half while the other one waits for a product or a sum
// (docs/adr/0043-kernels-without-branches-on-prices.md).
//
//   function smoothed(x: Column, out: Column, from: i32, to: i32, keep: f64, state: Column): void {
//     Halves.interleave(1 - keep, 1)
//     let mean = state[0]
//     for (let i = from; i < to; i += 1) {
//       mean = mean * keep + x[i]
//       out[i] = mean
//     }
//     state[0] = mean
//   }
//
// becomes three functions: `smoothed$inOrder`, which is unchanged; `smoothed$halves`, which has each `let`, each statement of
// the loop and each statement after the loop twice; and `smoothed`, which chooses. The second half begins with the state that
// the candles before it leave of an arbitrary one. Where this is not the state at the end of the first half, bit for bit, the
// second half is computed again in order.
//
// The names `from`, `to`, `state` and `i` have the meanings above. Outputs must not be inputs, because the second half may be
// computed again.
import { Node, NodeKind, Source, SourceKind, Tokenizer } from 'assemblyscript'
import { Transform } from 'assemblyscript/transform'

export default class InterleavedHalves extends Transform {
  afterParse(parser) {
    for (const source of parser.sources)
      if (!source.isLibrary)
        source.statements = source.statements.flatMap(statement =>
          isMarked(statement) ? inHalves(statement, parser) : [statement],
        )
  }
}

const textOf = ({ range }) => range.source.text.slice(range.start, range.end)

/** Whether a statement is a function that begins with the call of `Halves.interleave`. */
function isMarked({ kind, body }) {
  if (kind !== NodeKind.FunctionDeclaration) return false
  const call = body?.statements?.[0]?.expression
  return call?.kind === NodeKind.Call && textOf(call.expression) === 'Halves.interleave'
}

/** The three functions that replace one. */
function inHalves(declaration, parser) {
  const { name, signature, typeParameters } = declaration
  const [mark, ...statements] = declaration.body.statements
  const types = typeParameters ? `<${typeParameters.map(textOf).join(', ')}>` : ''
  const typed = signature.parameters.map(textOf).join(', ')
  const names = signature.parameters.map(each => each.name.text)
  const texts = [
    `function ${name.text}$inOrder${types}(${typed}): void { ${statements.map(textOf).join('\n')} }`,
    `function ${name.text}$halves${types}(${typed}, middle: i32, state2: Column): void { ${bodyOfHalves(statements)} }`,
    `function ${name.text}${types}(${typed}): void { ${bodyOfChoice(name.text + types, names, mark, statements)} }`,
  ]
  const { normalizedPath } = declaration.range.source
  return texts.map(text =>
    parser.parseTopLevelStatement(new Tokenizer(new Source(SourceKind.User, normalizedPath, text)), null),
  )
}

const isLoop = ({ kind }) => kind === NodeKind.For
const isShared = statement => statement.kind === NodeKind.Variable && textOf(statement).startsWith('const ')
const stepOf = statements => textOf(statements.find(isLoop).incrementor).replace('i += ', '')

/** The statements of a function with each of them twice, except constants before the loop. */
function bodyOfHalves(statements) {
  const at = statements.findIndex(isLoop)
  const before = statements.slice(0, at)
  const own = [...before.filter(each => !isShared(each)), ...statements.slice(at)].flatMap(namesIn)
  const name = new RegExp(`(?<![.\\w$])(${['from', 'state', 'i', ...own].join('|')})(?![\\w$])`, 'g')
  const twice = statement => `${textOf(statement)}\n${textOf(statement).replace(name, '$12')}`
  return `
    const from2 = middle
    ${before.map(each => (isShared(each) ? textOf(each) : twice(each))).join('\n')}
    for (let i = from; i < middle; i += ${stepOf(statements)}) {
      const i2 = i + (middle - from)
      ${statements[at].body.statements.map(twice).join('\n')}
    }
    ${statements
      .slice(at + 1)
      .map(twice)
      .join('\n')}`
}

/** The statements of the function that computes a series in halves if it is long, and in order otherwise. */
function bodyOfChoice(name, names, mark, statements) {
  const [weight, numbers] = mark.expression.args.map(textOf)
  const [plain, types = ''] = name.split(/(?=<)/)
  const inOrder = (from, to, state) =>
    `${plain}$inOrder${types}(${names.map(each => ({ from, to, state })[each] ?? each).join(', ')})`
  return `
    const warmup = Halves.warmup(${weight}, ${stepOf(statements)})
    const size = Halves.size(to - from, warmup, ${stepOf(statements)})
    if (size > 0) {
      const middle = from + size
      Halves.copy(state, Halves.second, ${numbers})
      ${inOrder('middle - warmup', 'middle', 'Halves.second')}
      Halves.copy(Halves.second, Halves.seam, ${numbers})
      ${plain}$halves${types}(${names.join(', ')}, middle, Halves.second)
      from = middle + size
      if (Halves.areEqual(state, Halves.seam, ${numbers})) Halves.copy(Halves.second, state, ${numbers})
      else ${inOrder('middle', 'from', 'state')}
      Halves.clear()
    }
    if (from < to) ${inOrder('from', 'to', 'state')}`
}

/** Names of the variables that are declared in a node. */
function namesIn(node) {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (!(node instanceof Node) || node.kind === NodeKind.Source) return []
  const name = node.kind === NodeKind.VariableDeclaration ? [node.name.text] : []
  return [...name, ...Object.values(node).flatMap(namesIn)]
}
