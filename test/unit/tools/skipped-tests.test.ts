import { expect, it } from 'vitest'
import { describeSkipped } from '../../support/skipped-tests.js'

it('what was skipped is one line that says why, and how to install what is missing', () => {
  expect(
    describeSkipped(
      new Map([
        ['redis-server', 90],
        ['nginx', 12],
      ]),
      5,
      3,
    ),
  ).toBe(
    'Skipped tests: 90 for lack of redis-server, 12 for lack of nginx, 5 that `npm run test:all` runs, 3 for another platform, transport or Node.js. To run them (Debian): apt-get install redis-server nginx-light',
  )
  expect(describeSkipped(new Map(), 0, 3)).toBe('Skipped tests: 3 for another platform, transport or Node.js')
  expect(describeSkipped(new Map(), 0, 0)).toBeUndefined()
})
