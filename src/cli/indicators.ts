import type { Command } from 'commander'
import { describe } from '../catalogue/description.js'
import { catalogue, type Entry, type Param } from '../catalogue/index.js'

const describeParam = (name: string, param: Param): string => {
  const range =
    param.kind === 'choice'
      ? param.of.join('|')
      : param.kind === 'flag'
        ? 'true|false'
        : `${param.min}…${param.max}`
  return `${name}=${param.default} (${range})`
}

function formatEntry({ name, title, params, outputs }: Entry): string {
  const parameters = Object.entries(params).map(([key, param]) => describeParam(key, param))
  return `  ${name.padEnd(16)} ${title}\n${' '.repeat(19)}${parameters.join(', ') || 'no parameters'} → ${outputs.map(output => output.name).join(', ')}`
}

/** `candela indicators`: lists the catalogue by category. */
export const addIndicators = (program: Command): void => {
  program
    .command('indicators')
    .description('list the indicators with their parameters (default and range) and outputs')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) => {
      const entries = [...catalogue.values()].sort(
        (a, b) => a.category.localeCompare(b.category) || a.name.localeCompare(b.name),
      )
      if (options.json) {
        console.log(JSON.stringify(entries.map(describe), null, 2))
        return
      }
      let category = ''
      for (const entry of entries) {
        if (entry.category !== category) {
          category = entry.category
          console.log(category)
        }
        console.log(formatEntry(entry))
      }
    })
}
