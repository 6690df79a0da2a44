/**
 * The encoding of a reply by the `Accept-Encoding` of its request, the first of `offered` that it accepts: RFC 9110, section
 * 12.5.3. Undefined where the body is sent as it is.
 */
export function encodingOf<const Encoding extends string>(
  header: string,
  offered: readonly Encoding[],
): Encoding | undefined {
  if (header === '') return undefined
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', weight] = part.split(';', 2).map(text => text.trim())
    weights.set(name, weight?.startsWith('q=') ? Number(weight.slice(2)) : 1)
  }
  return offered.find(encoding => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}
