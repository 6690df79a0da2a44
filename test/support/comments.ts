import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { type SourceFile, sourceFiles, withoutDecorators } from './source-code.js'

/** A comment of a source file as one line of text. */
export interface Comment {
  readonly line: number
  readonly isDocstring: boolean
  readonly text: string
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Comments of a program in TypeScript or JavaScript. Lines of `//` that follow each other are one comment. */
export function commentsOf({ path, text }: SourceFile): readonly Comment[] {
  const { comments } = parseSync(path, withoutDecorators(text).replace(/^#!/, '//'), { lang: 'ts' })
  const joined: { start: number; end: number; isLine: boolean; value: string }[] = []
  for (const { type, value, start, end } of comments) {
    const before = joined.at(-1)
    const isLine = type === 'Line'
    const isOwnLine = (at: number) => /^\s*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))
    if (
      isLine &&
      before?.isLine &&
      isOwnLine(before.start) &&
      /^\n[ \t]*$/.test(text.slice(before.end, start))
    ) {
      before.value += `\n${value}`
      before.end = end
    } else joined.push({ start, end, isLine, value })
  }
  return joined.map(({ start, isLine, value }) => ({
    // Counted where it is read, because comments with a fault are few.
    get line() {
      return lineAt(text, start)
    },
    isDocstring: !isLine && value.startsWith('*'),
    text: plain(isLine ? value : value.replace(/^\s*\*+ ?/gm, ' ')),
  }))
}

const patterns = {
  // Docstrings, comments of whole lines, and comments behind code.
  py: /"""(?<doc>[\s\S]*?)"""|(?<=^[ \t]*)#[^\n]*(?:\n[ \t]*#[^\n]*)*|(?<= {2})# [^\n"']*$/gm,
  c: /\/\*(?<doc>[\s\S]*?)\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g,
  rs: /(?<=^[ \t]*)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm,
  sh: /(?<=^[ \t]*)#(?!!)[^\n]*(?:\n[ \t]*#[^\n]*)*/gm,
}

/** Comments of all programs below a folder of the project, by their files. */
export function commentsIn(
  folder: string,
): readonly (readonly [path: string, comments: readonly Comment[]])[] {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const others = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap(name => {
    const pattern = patterns[/\.(py|c|rs|sh)$/.exec(name)?.[1] as keyof typeof patterns]
    if (!pattern || name.includes('node_modules')) return []
    const text = readFileSync(join(root, folder, name), 'utf8')
    const comments = [...text.matchAll(pattern)].map(({ 0: whole, index, groups }) => ({
      get line() {
        return lineAt(text, index)
      },
      isDocstring: groups?.doc !== undefined || whole.startsWith('#:') || whole.startsWith('///'),
      text: plain((groups?.doc ?? whole).replace(/^\s*(\/\/+!?|#:?|\*) ?/gm, ' ')),
    }))
    return [[`${folder}/${name}`, comments] as const]
  })
  return [...sourceFiles(folder).map(file => [file.path, commentsOf(file)] as const), ...others]
}
