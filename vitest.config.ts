import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first. They begin before the others, so that none of them ends alone. */
const longest = [
  'laws/release',
  'service/alert-kills',
  'service/faults',
  'docs/commands',
  'service/nodes',
  'laws/debug',
  'service/updates',
  'service/streaming',
  'service/bulk',
  'service/ranges',
  'service/crash',
  'service/past',
  'patterns/no-repaint',
  'add-an-indicator',
  'laws/stream',
  'page/page',
  'soak/soak',
  'service/indicator',
  'service/keys',
  'service/migrate',
  'service/shared-store',
  'laws/faulty-kernels',
  'service/screen',
  'service/start',
  'unit/cluster-nodes',
  'faults/exchange',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
      return place < 0 ? longest.length : place
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Native addons and WASM memories live in a process each. Some files wait more than they compute: three of them keep a
    // two-core machine busy.
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
