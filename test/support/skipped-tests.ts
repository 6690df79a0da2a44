import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { debianPackages } from './needs.js'

/**
 * A line about the skipped tests and the reasons; undefined if none was skipped. `grouped` is the number of tests that belong to
 * a group, `others` the number of other tests that need no program.
 */
export function describeSkipped(
  counts: ReadonlyMap<keyof typeof debianPackages, number>,
  grouped: number,
  others: number,
) {
  const parts = [...counts].map(([program, count]) => `${count} for lack of ${program}`)
  if (grouped > 0) parts.push(`${grouped} that \`npm run test:all\` runs`)
  if (others > 0) parts.push(`${others} for another platform, transport or Node.js`)
  if (parts.length === 0) return undefined
  const packages = [...counts.keys()].map(program => debianPackages[program])
  const advice = packages.length > 0 ? `. To run them (Debian): apt-get install ${packages.join(' ')}` : ''
  return `Skipped tests: ${parts.join(', ')}${advice}`
}

/** Reports the skipped tests and the reasons at the end of a run, and the command that installs the missing programs. */
export default class SkippedTests implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { testNamePattern, tagsFilter } = this.#vitest?.config ?? {}
    // Filters for some tests skip all others.
    if (testNamePattern !== undefined || (tagsFilter && !tagsFilter.join().startsWith('!'))) return
    const counts = new Map<keyof typeof debianPackages, number>()
    let grouped = 0
    let others = 0
    for (const test of modules.flatMap(module => [...module.children.allTests('skipped')])) {
      const program = test.meta().needs
      if (tagsFilter && test.tags.length > 0) grouped++
      else if (program === undefined) others++
      else counts.set(program, (counts.get(program) ?? 0) + 1)
    }
    const line = describeSkipped(counts, grouped, others)
    if (line !== undefined) console.log(`\n${line}`)
  }
}
