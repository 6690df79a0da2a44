/**
 * What is mutated, and the tests that run against it, by area: those that concern the area and run in one process,
 * because a service that a test starts as a program is not mutated.
 */
export const areas = {
  contract: {
    mutate: ['src/contract/**/*.ts'],
    tests: [
      'test/unit/{body-parser,bulk-request,fields,hints,market,query,refusals,supplied-candles}.test.ts',
    ],
  },
  stream: {
    mutate: ['src/stream/**/*.ts'],
    tests: ['test/unit/{hub,new-subscriptions,session,session-registry}.test.ts'],
  },
  history: {
    mutate: ['src/history/**/*.ts'],
    tests: [
      'test/unit/{archive,archive-limit,backfill,clock-jump,history,history-archive,long-history,market-data,salvage,series}.test.ts',
    ],
  },
}
