import { beforeEach } from 'vitest'

/** Tests of each indicator in turn concern the kernels. There are hundreds, and each mutant would wait for them. */
const ofEachIndicator = /^(every indicator|a bulk answer)$/

beforeEach(({ task, skip }) => {
  for (let suite = task.suite; suite; suite = suite.suite) if (ofEachIndicator.test(suite.name)) skip()
})
