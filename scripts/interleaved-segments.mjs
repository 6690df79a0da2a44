// A transform of the AssemblyScript compiler: a function that begins with `Segments.interleave(weight, numbers, inOrder)` computes a
// long series in segments, all in one loop. Two segments are the lanes of a vector, and a processor works on one vector while
// another waits (docs/adr/0043-kernels-without-branches-on-prices.md).
//
//   function stops(high: Column, out: Column, from: i32, to: i32, state: Column): void {
//     Segments.interleave(forgotten, 1, trades)
//     let stop = Segments.number(state, 0)
//     for (let i = from; i < to; i++) {
//       stop = f64x2.pmin(stop, Segments.lanes(high.pair(i)))
//       Segments.write(out, i, stop)
//     }
//     Segments.setNumber(state, 0, stop)
//   }
//
// becomes two functions: `stops$segments`, which computes two candles of all segments a round, and `stops`, which chooses between
// it and `trades`, a function with the same parameters that computes candles in order.
//
// The other segments than the first one begin with a state of zeros, `warmup` candles before their own candles. What they
// write there is written again by the segment before. Where the state after these candles is not the state at the end of the segment
// before, bit for bit, the segment is computed again in order.
//
// The names `from`, `to`, `state` and `i` have the meanings above. Outputs must not be inputs, because both are written and
// read more than once.
import { Node, NodeKind, Source, SourceKind, Tokenizer } from 'assemblyscript'
import { Transform } from 'assemblyscript/transform'

export default class InterleavedSegments extends Transform {
  afterParse(parser) {
    for (const source of parser.sources)
      if (!source.isLibrary)
        source.statements = source.statements.flatMap(statement =>
          isMarked(statement) ? inSegments(statement, parser) : [statement],
        )
  }
}

const textOf = ({ range }) => range.source.text.slice(range.start, range.end)

/** Whether a statement is a function that begins with the call of `Segments.interleave`. */
function isMarked({ kind, body }) {
  return kind === NodeKind.FunctionDeclaration && isCall(body?.statements?.[0]?.expression, 'interleave')
}

const isCall = (node, method) =>
  node?.kind === NodeKind.Call && textOf(node.expression) === `Segments.${method}`

/** Vectors of a round: more would not fit into the registers. */
const vectors = 2

/** The two functions that replace one. */
function inSegments(declaration, parser) {
  const { signature } = declaration
  const [mark, ...statements] = declaration.body.statements
  const typed = signature.parameters.map(textOf).join(', ')
  const names = signature.parameters.map(each => each.name.text)
  const name = declaration.name.text
  const [weight, numbers, inOrder] = mark.expression.args.map(textOf)
  const texts = [
    `function ${name}$segments(${typed}, gap: i32, states: Column): void { ${bodyOfSegments(statements)} }`,
    `function ${name}(${typed}): void { ${bodyOfChoice(`${name}$segments`, inOrder, names, weight, numbers)} }`,
  ]
  const { normalizedPath } = declaration.range.source
  return texts.map(text =>
    parser.parseTopLevelStatement(new Tokenizer(new Source(SourceKind.User, normalizedPath, text)), null),
  )
}

const isLoop = ({ kind }) => kind === NodeKind.For
const isCarried = statement => statement.kind === NodeKind.Variable && textOf(statement).startsWith('let ')

/** The statements of a function for all segments; constants before the loop are shared. */
function bodyOfSegments(statements) {
  const at = statements.findIndex(isLoop)
  const own = statements.filter(isCarried).flatMap(namesIn)
  const each = text => Array.from({ length: vectors }, (_, v) => text(v)).join('\n')
  const forEach = statement =>
    each(v => {
      const numbers = `states.from(${2 * v})`
      const text = withCalls(statement, {
        number: (_, k) => `${numbers}.pair(${2 * vectors} * (${k}))`,
        setNumber: (_, k, value) => `${numbers}.setPair(${2 * vectors} * (${k}), ${value})`,
      })
      return renamed(text, own, v)
    })
  const indexes = Array.from({ length: 2 * vectors - 1 }, (_, k) => `const i${k + 1} = i${k || ''} + gap`)
  const body = statements[at].body.statements
  return `
    ${statements
      .slice(0, at)
      .map(one => (isCarried(one) ? forEach(one) : textOf(one)))
      .join('\n')}
    for (let i = from; i < to; i += 2) {
      ${indexes.join('\n')}
      ${each(v => renamed(roundOf(body, v), own, v))}
    }
    ${statements
      .slice(at + 1)
      .map(forEach)
      .join('\n')}`
}

/** The statements of the loop for two candles of the segments in one vector. */
function roundOf(body, vector) {
  const [one, other] = [2 * vector || '', 2 * vector + 1]
  const pairs = []
  const at = (text, segment) => text.replace(/(?<![.\w$])i(?![\w$])/g, `i${segment}`)
  const writes = body.flatMap(each => callsIn(each)).filter(each => isCall(each, 'write')).length
  const candle = which => {
    let written = 0
    return body.map(statement =>
      withCalls(statement, {
        lanes: pair => {
          if (!pairs.includes(pair)) pairs.push(pair)
          const k = pairs.indexOf(pair)
          return `v128.shuffle<f64>(pair${k}, otherPair${k}, ${which}, ${which + 2})`
        },
        write: (column, _, value) => {
          const k = written++
          if (which === 0) return `written${k} = ${value}`
          return `const second${k} = ${value}
            ${column}.setPair(i${one}, v128.shuffle<f64>(written${k}, second${k}, 0, 2))
            ${column}.setPair(i${other}, v128.shuffle<f64>(written${k}, second${k}, 1, 3))`
        },
      }),
    )
  }
  const [first, second] = [candle(0), candle(1)]
  return `{
    ${pairs.map((pair, k) => `const pair${k} = ${at(pair, one)}\nconst otherPair${k} = ${at(pair, other)}`).join('\n')}
    ${Array.from({ length: writes }, (_, k) => `let written${k} = f64x2.splat(0)`).join('\n')}
    { ${first.join('\n')} }
    { ${second.join('\n')} }
  }`
}

/** The statements of the function that computes a long series in segments, and other candles in order. */
function bodyOfChoice(name, inOrder, names, weight, numbers) {
  const count = 2 * vectors
  const call = (function_, from, to, ...others) =>
    `${function_}(${[...names.map(each => ({ from, to })[each] ?? each), ...others].join(', ')})`
  return `
    const warmup = Segments.warmup(${weight})
    const size = Segments.size(to - from, warmup, ${count})
    if (size > 0) {
      const seam = from + warmup
      const states = Segments.begin(state, ${numbers}, ${count})
      ${call(name, 'from', 'seam', 'size', 'states')}
      Segments.keepSeams(${numbers}, ${count})
      ${call(name, 'seam', 'seam + size', 'size', 'states')}
      from = seam
      for (let k = 0; k < ${count}; k++) {
        if (k === 0 || Segments.continues(state, k, ${numbers}, ${count})) Segments.end(state, k, ${numbers}, ${count})
        else ${call(inOrder, 'from', 'from + size')}
        from += size
      }
      Segments.clear()
    }
    if (from < to) ${call(inOrder, 'from', 'to')}`
}

/** The calls of methods of `Segments` in a node. */
function callsIn(node) {
  if (Array.isArray(node)) return node.flatMap(callsIn)
  if (!(node instanceof Node) || node.kind === NodeKind.Source) return []
  const isOne = node.kind === NodeKind.Call && textOf(node.expression).startsWith('Segments.')
  return isOne ? [node] : Object.values(node).flatMap(callsIn)
}

/** The text of a node with calls replaced by the texts that functions named like their methods make of their arguments. */
function withCalls(node, replacements) {
  let text = ''
  let end = node.range.start
  for (const call of callsIn(node)) {
    const own = replacements[call.expression.property.text](
      ...call.args.map(each => withCalls(each, replacements)),
    )
    text += node.range.source.text.slice(end, call.range.start) + own
    end = call.range.end
  }
  return text + node.range.source.text.slice(end, node.range.end)
}

/** A text with `$` and a number appended to the given names. */
function renamed(text, names, number) {
  return text.replace(new RegExp(`(?<![.\\w$])(${names.join('|')})(?![\\w$])`, 'g'), `$1$$${number}`)
}

/** Names of the variables that are declared in a node. */
function namesIn(node) {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (!(node instanceof Node) || node.kind === NodeKind.Source) return []
  const name = node.kind === NodeKind.VariableDeclaration ? [node.name.text] : []
  return [...name, ...Object.values(node).flatMap(namesIn)]
}
