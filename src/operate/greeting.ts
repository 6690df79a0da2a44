/** The host part of a URL at which a service that listens on `host` is reached from its own machine: a browser opens no 0.0.0.0. */
export function localHostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** What the server prints when it listens; where its first key was created, with ways to use it. */
export function greetingOf(url: string, firstKey: string | undefined): string {
  const listening = `Candela listens on ${url}`
  if (firstKey === undefined) return listening
  const request = `${url}/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h`
  return [
    listening,
    `\nFirst key, shown this once: ${firstKey}\n`,
    // In the fragment, which no browser sends to a server; the page takes it out of the address.
    `The chart, signed in: ${url}/#key=${firstKey}\n`,
    `curl -H "Authorization: Bearer ${firstKey}" "${request}"`,
  ].join('\n')
}
