import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A Markdown file of the project. */
export interface Document {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
}

/** Folders with installed or built files. */
const foreign = new Set(['node_modules', 'build', 'dist', 'data'])

function* markdownIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !entry.name.startsWith('.') && !foreign.has(entry.name))
      yield* markdownIn(join(folder, entry.name))
    else if (entry.isFile() && entry.name.endsWith('.md')) yield join(folder, entry.name)
  }
}

/** All Markdown files of the project. */
export const documents: readonly Document[] = [...markdownIn(root)].sort().map(file => ({
  path: relative(root, file).replaceAll(sep, '/'),
  text: readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
}))

export function documentAt(path: string): Document {
  const found = documents.find(document => document.path === path)
  if (!found) throw new Error(`there is no ${path}`)
  return found
}

/** A fenced block of code. */
export interface CodeBlock {
  readonly language: string
  readonly code: string
  /** Line of the document in which its code begins, from 1. */
  readonly line: number
}

const fence = /^```([\w-]*)\n([\s\S]*?)^```$/gm

export const codeBlocksOf = ({ text }: Document): readonly CodeBlock[] =>
  [...text.matchAll(fence)].map(match => ({
    language: match[1] ?? '',
    code: match[2] ?? '',
    line: text.slice(0, match.index).split('\n').length + 1,
  }))

const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ')

/** The text without blocks of code. Lines keep their numbers. */
const proseOf = (text: string) => text.replaceAll(fence, blank)

/** Code within the sentences of a document. */
export const inlineCodeOf = ({ text }: Document): readonly string[] =>
  [...proseOf(text).matchAll(/`([^`]+)`/g)].map(match => (match[1] as string).replaceAll(/\s+/g, ' '))

/** A link or an image. */
export interface Link {
  readonly target: string
  readonly line: number
}

export function linksOf({ text }: Document): readonly Link[] {
  const prose = proseOf(text).replaceAll(/`[^`\n]*`/g, blank)
  return [...prose.matchAll(/\[[^[\]]*\]\(([^()\s]*)\)/g)].map(match => ({
    target: match[1] as string,
    line: prose.slice(0, match.index).split('\n').length,
  }))
}

/** The anchors of the headings of a document, as GitHub names them. */
export function anchorsOf({ text }: Document): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of proseOf(text).matchAll(/^#{1,6} +(.*)$/gm)) {
    const name = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    let anchor = name
    for (let count = 1; anchors.has(anchor); count++) anchor = `${name}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** A command of a `sh` block. */
export interface Command {
  /** Its place, as in `README.md:12`. */
  readonly place: string
  /** One or more lines. */
  readonly text: string
  /** Its output, by the comment below it. `…` matches anything. */
  readonly reply: string | undefined
}

/** The commands of all `sh` blocks of a document, in their order. */
export function commandsOf(document: Document): readonly Command[] {
  return codeBlocksOf(document)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code, line }) => commandsIn(code, number => `${document.path}:${line + number}`))
}

function commandsIn(code: string, placeOf: (line: number) => string): readonly Command[] {
  const commands: Command[] = []
  const lines = code.trimEnd().split('\n')
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at] as string
    if (/^\s*(#.*)?$/.test(first)) continue
    const start = at
    // A function ends with a brace of its own, other commands with the first line that is not continued.
    const isFunction = /^\w+\(\) \{$/.test(first)
    while (isFunction ? lines[at] !== '}' : (lines[at] as string).endsWith('\\')) {
      if (++at >= lines.length) throw new Error(`${placeOf(start)}: the command does not end`)
    }
    const text = lines.slice(start, at + 1).join('\n')
    const reply = /^# ([{[].*)$/.exec(lines[at + 1] ?? '')?.[1]
    commands.push({ place: placeOf(start), text, reply })
  }
  return commands
}

/** Whether a printed text matches the documented one, in which `…` matches anything. */
export function matchesReply(documented: string, printed: string): boolean {
  const pattern = documented
    .split('…')
    .map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*')
  return new RegExp(`^${pattern}$`).test(printed)
}
