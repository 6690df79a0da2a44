/**
 * Segments of paths, percent-encoded, that are the id of nothing: odd characters, names of objects, marks of a store, and
 * long ones.
 */
export const hostileIds: readonly string[] = [
  ...['~', '~~', '~install', '~installation', '*', '+', "'", '%22', '%20', '{id}', '%7Bid%7D', ':', ';', '-'],
  ...['%00', '%00%00', 'alert_%00', '%0A', '%7F', '%FF', '%ZZ', '%', '%2e%2e', '%2F', 'a%2Fb', 'alert%2Fx'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN'],
  ...['0', '0000000', '00000000', 'ffffffff', 'FFFFFFFF', 'abcdefgh', 'alert_', 'alert_AAAAAAAAAAAA'],
  ...['%C3%A9', '%F0%9F%92%A9', '%ED%A0%80', '%EF%BB%BF', '%E2%80%AE', '%C3%A9'.repeat(300)],
  ...[64, 100, 500, 1_900, 1_978, 1_979, 2_100, 3_000].map(length => 'x'.repeat(length)),
]
