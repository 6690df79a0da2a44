/** The width of a text where the terminal does not say its own, and the largest that reads well. */
const defaultWidth = 80
const maxWidth = 110

/** The columns of the terminal that standard output goes to. */
export const terminalWidth = (): number => process.stdout.columns || defaultWidth

/** A text in lines that fit into the terminal, each of them indented. */
export function wrapText(text: string, indent = 0): string {
  const width = Math.max(20, Math.min(maxWidth, terminalWidth()) - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.map(each => ' '.repeat(indent) + each).join('\n')
}
