import { Column } from '../../frame'

/** A price zone. A view of memory. */
@unmanaged
export class Zone {
  /** 1 for a bullish zone, which lies below the price as a support, −1 for a bearish one. */
  side: f64
  top: f64
  bottom: f64
  /** The volume of the candle that made the zone, where it is used. */
  volume: f64
}

/** Size of a zone in the state, in numbers. */
const zoneSize = 4

/** Numbers before the first zone. */
const zonesHead = 3

/** Number of zones kept; must equal the value in src/catalogue/structure/price-zones.ts. */
const maxZones = 16

/**
 * The newest valid price zones of a series, oldest first. A view of the kernel's state:
 *
 *   ├─ count │ highest bottom │ lowest top ─┼─ side │ top │ bottom │ volume ─┼ …   as many as maxZones
 */
@unmanaged
export class Zones {
  private known: f64
  /** The highest bottom of the bullish zones, or higher; −Infinity if there is none. Prices above it remove none. */
  private highestBottom: f64
  /** The lowest top of the bearish zones, or lower; Infinity if there is none. */
  private lowestTop: f64

  @inline
  static of(state: Column): Zones {
    return changetype<Zones>(state)
  }

  /** Size of the zones in the state, in numbers. */
  static readonly size: i32 = zonesHead + zoneSize * maxZones

  @inline
  get count(): i32 {
    return <i32>this.known
  }

  /** Removes all zones; writes the whole list. */
  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Zones.size) << 3)
    this.highestBottom = -Infinity
    this.lowestTop = Infinity
  }

  /** Zone `k`; 0 is the oldest. */
  @inline
  private get(k: i32): Zone {
    return changetype<Zone>(changetype<usize>(this) + (zonesHead << 3) + ((<usize>(k * zoneSize)) << 3))
  }

  /** Adds a zone as the newest; the oldest one is dropped if there are more than maxZones. */
  push(side: f64, top: f64, bottom: f64, volume: f64): void {
    let k = this.count
    if (k === maxZones) {
      k--
      for (let later = 1; later <= k; later++) this.move(later, later - 1)
    }
    this.known = <f64>(k + 1)
    const zone = this.get(k)
    zone.side = side
    zone.top = top
    zone.bottom = bottom
    zone.volume = volume
    this.widen(side, top, bottom)
  }

  /** Updates the bounds of the prices that remove no zone. */
  @inline
  private widen(side: f64, top: f64, bottom: f64): void {
    if (side > 0) this.highestBottom = max(this.highestBottom, bottom)
    else this.lowestTop = min(this.lowestTop, top)
  }

  /**
   * Removes the zones that prices between `lowest` and `highest` leave at the far side: the bullish ones with a bottom above
   * `lowest`, the bearish ones with a top below `highest`. Returns the side of the newest of them, 0 without one. They are
   * added to `inverses`, if given, with the opposite side.
   */
  @inline
  remove(lowest: f64, highest: f64, inverses: Zones | null = null): f64 {
    if (!(lowest < this.highestBottom) && !(highest > this.lowestTop)) return 0
    return this.removeLeft(lowest, highest, inverses)
  }

  private removeLeft(lowest: f64, highest: f64, inverses: Zones | null): f64 {
    const count = this.count
    this.highestBottom = -Infinity
    this.lowestTop = Infinity
    let staying = 0
    let side: f64 = 0
    for (let k = 0; k < count; k++) {
      const zone = this.get(k)
      const isLeft = zone.side > 0 ? lowest < zone.bottom : highest > zone.top
      if (isLeft) {
        side = zone.side
        if (inverses !== null) inverses.push(-side, zone.top, zone.bottom, zone.volume)
        continue
      }
      this.widen(zone.side, zone.top, zone.bottom)
      if (staying < k) this.move(k, staying)
      staying++
    }
    this.known = <f64>staying
    return side
  }

  @inline
  private move(from: i32, to: i32): void {
    const source = changetype<usize>(this.get(from))
    const target = changetype<usize>(this.get(to))
    v128.store(target, v128.load(source))
    v128.store(target, v128.load(source, 16), 16)
  }

  /** Writes the top and the bottom of the newest zone for candle `i`, NaN where there is none. */
  @inline
  writeBounds(tops: Column, bottoms: Column, i: i32): void {
    const count = this.count
    tops[i] = count > 0 ? this.get(count - 1).top : NaN
    bottoms[i] = count > 0 ? this.get(count - 1).bottom : NaN
  }

  /** The volume of the newest zone, NaN where there is none. */
  @inline
  get newestVolume(): f64 {
    const count = this.count
    return count > 0 ? this.get(count - 1).volume : NaN
  }
}
