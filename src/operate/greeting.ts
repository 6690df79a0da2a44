/** Host part of a local URL for a service that listens on `host`. Browsers do not open 0.0.0.0. */
export function localHostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Text that the server prints when it listens. If the first key was created, the text has the key and examples of its
 * use.
 */
export function greetingOf(url: string, firstKey: string | undefined): string {
  const listening = `Candela listens on ${url}`
  if (firstKey === undefined) return listening
  const request = `${url}/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h`
  return [
    listening,
    `\nFirst key, shown this once: ${firstKey}\n`,
    // In the fragment, because browsers do not send it to the server. The page removes it from the address.
    `The chart, signed in: ${url}/#key=${firstKey}\n`,
    `curl -H "Authorization: Bearer ${firstKey}" "${request}"\n`,
    `All documents, with a search: ${url}/help`,
  ].join('\n')
}
