import { describe, expect, it } from 'vitest'
import { type Comment, commentsIn, commentsOf } from './support/comments.js'
import { type Node, nodesOf, parse, type SourceFile, sourceFiles } from './support/source-code.js'

/** Words with which no docstring begins: a docstring names a thing by a noun, or says what a function does by a verb. */
const opening =
  /^(What|How|Where|When|Which|Who|Why|By|Of|For|Those|Until|(So|As) many|That (of|which)|Whether (it|they)|(At|By|From|In|On|To|With) (what|which|whom))\b/

/** Phrases that stand for a usual word, with that word. */
const phrases: readonly (readonly [phrase: RegExp, word: string])[] = [
  [/\bin the place of\b|\bin (its|their) place\b/i, 'instead of'],
  [/\b(take|takes|taking|took|taken) (the place of|its place|their place)\b/i, 'replace'],
  [/\bso many\b/i, 'the number'],
  [/\b(go|goes|going|gone|went) on\b/i, 'continue'],
  [/\bmeanwhile\b/i, 'during what'],
  [/\bof before\b/i, 'previous'],
  [/\bat hand\b/i, 'available, in memory'],
  [/\bas (it|they) (is|are|was|were)(?=[.,;:)]|$| (and|if|until|when|where)\b)/i, 'unchanged'],
  [/\b(became|becomes|become) of\b/i, 'the result of'],
  [/\b(is|are|was|were) (not )?there\b(?! (is|are|was|were))/i, 'exist, be missing, have arrived'],
  [/\basked for\b/i, 'requested'],
  [/\bthose (that|which|who|whose)\b/i, 'the names of the things'],
  [/\b(say|says|said|saying) so\b/i, 'report, return'],
  [/\bto (have to )?be known\b/i, 'required'],
  [/\b(is|are|was|were|be) taken for\b/i, 'be treated as'],
  [/\banew\b/i, 'again, restart'],
  [/\bin turns\b/i, 'alternating'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\b(is|are|was|were) of (a|an|its|no|one|some|that|the|this|which)\b/i, 'belong to'],
  [/\ba way to (it|them)\b/i, 'an endpoint, a method'],
]

/** Comments in which such a phrase is right, each with the reason. */
const exceptions: ReadonlySet<string> = new Set([])

/** Faults of a comment. */
const faultsOf = ({ text, isDocstring }: Comment): readonly string[] => [
  ...(isDocstring && opening.test(text) ? [`begins with "${opening.exec(text)?.[0]}"`] : []),
  ...phrases.flatMap(([phrase, word]) => {
    const found = phrase.exec(text)?.[0]
    return found === undefined ? [] : [`"${found}": ${word}`]
  }),
]

/** Written from the descriptions of the OpenAPI document. */
const generated = 'python/src/candela_client/_answers.py'

/** Faults of all comments of a folder. */
const faultsIn = (folder: string): readonly string[] =>
  commentsIn(folder)
    .filter(([path]) => path !== generated)
    .flatMap(([path, comments]) =>
      comments
        .filter(({ text }) => !exceptions.has(text))
        .flatMap(comment => faultsOf(comment).map(fault => `${path}:${comment.line}: ${fault}`)),
    )

describe('comments and docstrings', () => {
  const folders = ['src', 'assembly', 'page', 'bench', 'scripts', 'interface', 'examples', 'python', 'test']

  it.each(folders)('of %s use plain words', folder => {
    expect(faultsIn(folder)).toEqual([])
  })

  const comment = (text: string) => commentsOf({ path: 'src/a.ts', text }).flatMap(faultsOf)

  it.each([
    ['/** What is computed. */\nconst a = 1', ['begins with "What"']],
    ['/** Whether it runs. */\nconst a = 1', ['begins with "Whether it"']],
    ['/** Whether the stream is open. */\nconst a = 1', []],
    ['// What follows is read once.\nconst a = 1', []],
    ['const a = 1 // those\n// that\nconst b = 2', []],
    ['// keeps those\n// that are open\nconst a = 1', ['"those that": the names of the things']],
    ["const a = 'so many'", []],
  ])('are judged by their words: %j', (text, faults) => {
    expect(comment(text)).toEqual(faults)
  })
})

/** Messages that the interface fixes, and texts in which such a phrase is right. */
const fixedTexts = [
  / is of a single market/,
  /settled cannot be used beside chart/,
  /A newer key has taken its place/,
  /The candles are not known as they were/,
  /so many (markets|symbols|of them|levels)/,
  /where it is meant to be as it is/,
  / beside the days of /,
  /copy it as it is$/,
  /is asked for more than it can answer/,
]

/** Literals and templates of a program with several words, without the values in templates. */
const textsIn = (tree: unknown): readonly string[] =>
  nodesOf(tree).flatMap(({ type, value, quasis }: Node) => {
    const parts = type === 'TemplateLiteral' ? (quasis as { value: { cooked: string } }[]) : []
    const text =
      typeof value === 'string' && type === 'Literal' ? value : parts.map(each => each.value.cooked).join('…')
    return text.includes(' ') ? [text] : []
  })

/** Whether a file has the words of a fault, be it in a comment. Other files need no syntax tree. */
function mayHaveFault({ text }: SourceFile): boolean {
  // A dot, so that words at an end of a literal are found too.
  const words = text.replace(/['"`]|\\[nt]/g, '.')
  return quotedOpening.test(words) || phrases.some(([phrase]) => phrase.test(words))
}
const quotedOpening = new RegExp(opening.source.replace('^', String.raw`\.`))

/** Faults of the texts of a folder, such as descriptions of fields, options and settings. */
const faultsOfTexts = (folder: string): readonly string[] =>
  sourceFiles(folder)
    .filter(mayHaveFault)
    .flatMap(file =>
      textsIn(parse(file))
        .filter(text => !fixedTexts.some(fixed => fixed.test(text)))
        .flatMap(text =>
          faultsOf({ text, isDocstring: true, line: 0 }).map(fault => `${file.path}: ${text}: ${fault}`),
        ),
    )

describe('texts for people', () => {
  it.each(['src', 'interface'])('of %s use plain words', folder => {
    expect(faultsOfTexts(folder)).toEqual([])
  })

  it('are literals and templates with several words', () => {
    const text = "const a = ['one', 'two words', `so many @{b} here`]".replace('@', '$')
    const program = parse({ path: 'src/a.ts', text })
    expect(textsIn(program)).toEqual(['two words', 'so many … here'])
  })
})
