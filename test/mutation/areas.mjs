/**
 * What is mutated, and the tests that run against it, by area: those that concern the area and neither start a process
 * nor wait for real time.
 */
export const areas = {
  contract: {
    mutate: ['src/contract/**/*.ts'],
    tests: [
      'test/contracts/server.test.ts',
      'test/service/{bulk,candles,indicator}.test.ts',
      'test/unit/{body-parser,bulk-request,fields,hints,market,query,refusals,supplied-candles}.test.ts',
    ],
  },
  stream: {
    mutate: ['src/stream/**/*.ts'],
    tests: [
      'test/contracts/server.test.ts',
      'test/service/session.test.ts',
      'test/unit/{hub,new-subscriptions,session,session-registry}.test.ts',
    ],
  },
  history: {
    mutate: ['src/history/**/*.ts'],
    tests: [
      'test/unit/{archive,archive-limit,backfill,clock-jump,history,history-archive,long-history,market-data,salvage,series}.test.ts',
    ],
  },
}
