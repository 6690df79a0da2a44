import { describe, expect, it } from 'vitest'
import { effect, Signal, together, untracked } from '../../page/view/signal.js'

describe('a signal', () => {
  it('runs an effect again when its value is another one, and only then', () => {
    const price = new Signal(1)
    const seen: number[] = []
    const end = effect(() => seen.push(price.value))
    price.value = 2
    price.value = 2
    expect(seen).toEqual([1, 2])
    end()
    price.value = 3
    expect(seen).toEqual([1, 2])
  })

  it('is followed only where the last run has read it', () => {
    const [isShown, price] = [new Signal(true), new Signal(1)]
    let runs = 0
    effect(() => {
      runs++
      if (isShown.value) price.value
    })
    isShown.value = false
    price.value = 2
    expect(runs).toBe(2)
    isShown.value = true
    price.value = 3
    expect(runs).toBe(4)
  })

  it('runs an effect once for changes made together, and not for what was read untracked', () => {
    const [a, b] = [new Signal(1), new Signal(1)]
    const sums: number[] = []
    effect(() => sums.push(a.value + untracked(() => b.value)))
    together(() => {
      a.value = 2
      a.value = 3
      b.value = 5
    })
    b.value = 7
    expect(sums).toEqual([2, 8])
  })

  it('may be changed by an effect: those that have read it run in the same call', () => {
    const [view, address] = [new Signal('btc'), new Signal('')]
    const written: string[] = []
    effect(() => {
      address.value = `?${view.value}`
    })
    effect(() => written.push(address.value))
    view.value = 'eth'
    expect(written).toEqual(['?btc', '?eth'])
  })

  it('lets the others run where an effect throws, and says so', () => {
    const price = new Signal(1)
    const seen: number[] = []
    effect(() => {
      if (price.value === 2) throw new Error('no such price')
    })
    effect(() => seen.push(price.value))
    expect(() => {
      price.value = 2
    }).toThrow('no such price')
    price.value = 3
    expect(seen.at(-1)).toBe(3)
  })
})
