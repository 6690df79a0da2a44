/** What the server prints when it listens, with a command to try it where its first key was created. */
export function greetingOf(url: string, firstKey: string | undefined): string {
  const listening = `Candela listens on ${url}`
  if (firstKey === undefined) return listening
  const request = `${url}/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h`
  return [
    listening,
    `\nFirst key, shown this once: ${firstKey}\n`,
    `curl -H "Authorization: Bearer ${firstKey}" "${request}"`,
  ].join('\n')
}
