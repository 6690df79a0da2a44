import { expect, it, vi } from 'vitest'

it('the newest value is announced politely, and at most every ten seconds', async () => {
  const attributes: Record<string, string> = {}
  const element = {
    textContent: '',
    className: '',
    setAttribute: (name: string, value: string) => {
      attributes[name] = value
    },
  }
  vi.stubGlobal('document', { createElement: () => element })
  const { Announcer } = await import('../../page/controls/announcer.js')
  let now = 0
  const announcer = new Announcer(() => now)
  const said: string[] = []
  for (now = 0; now <= 30_000; now += 500) {
    announcer.value(() => {
      said.push(String(now))
      return String(now)
    })
  }
  vi.unstubAllGlobals()
  expect(attributes).toMatchObject({ 'aria-live': 'polite' })
  expect(said).toEqual(['0', '10000', '20000', '30000'])
  expect(element.textContent).toBe('30000')
})
