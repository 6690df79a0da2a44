import type { ChartInput } from './chart-input.js'
import type { MenuItem } from './controls/chart-menu.js'
import { DrawingBar } from './controls/drawing-bar.js'
import { drawingLabels, drawingTitle } from './controls/drawing-names.js'
import { openLayouts } from './controls/layouts-dialog.js'
import type { MarketPalette } from './controls/market-palette.js'
import type { Stage } from './controls/stage.js'
import type { Toasts } from './controls/toasts.js'
import { Watchlist } from './controls/watchlist.js'
import { Loader } from './model/loader.js'
import type { OtherMarket } from './model/other-market.js'
import { OtherMarkets } from './model/other-markets.js'
import type { Picture } from './model/picture.js'
import { pageSize } from './model/requests.js'
import type { Store } from './model/store.js'
import type { ServiceClient } from './service/client.js'
import type { Subscription, Update } from './service/streaming.js'
import { writeAddress } from './view/address.js'
import { type DrawingKind, drawingPoints } from './view/drawings.js'
import { sessionKey } from './view/storage.js'
import { liveKey, marketOf, maxCompared, symbolKey } from './view/view.js'

interface Parts {
  readonly store: Store
  readonly stage: Stage
  readonly client: ServiceClient
  readonly toasts: Toasts
  readonly markets: MarketPalette
  readonly picture: () => Picture
  readonly input: () => ChartInput
  readonly decimals: () => number
  /** Replaces the subscriptions of the page's connection. */
  readonly follow: (subscriptions: readonly Subscription[]) => void
  readonly showCompared: (other: OtherMarket, isLive: boolean) => void
}

/** Tools that a person adds to the chart: drawings, compared markets, layouts and the watchlist, all from one menu. */
export class Tools {
  readonly #parts: Parts
  readonly compared: OtherMarkets
  readonly #watched: OtherMarkets
  readonly #watchlist: Watchlist
  readonly #bar: DrawingBar
  /** The subscriptions of the chart itself. */
  #followed: readonly Subscription[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    const { store, stage, client, markets, showCompared } = parts
    const loader = new Loader({ client, onStatus: () => {} })
    const onFollow = () => this.#follow()
    this.compared = new OtherMarkets({ loader, prefix: 'c', onFollow, onChange: showCompared })
    this.#watched = new OtherMarkets({
      loader,
      prefix: 'w',
      onFollow,
      onChange: other => this.#watchlist.show(other),
    })
    this.#watchlist = new Watchlist({
      host: stage.watchlist,
      store,
      watched: this.#watched,
      onPick: market => store.change({ market }),
      onSearch: () =>
        markets.open('', { title: 'Add to the watchlist', act: market => this.#watchlist.add(market) }),
      onClose: () => stage.chart.focus(),
    })
    stage.tools.addEventListener('click', () => this.openMenu())
    this.#bar = new DrawingBar({
      host: stage.drawingBar,
      store,
      onBegin: kind => parts.input().drawing.begin(kind),
      onCancel: () => parts.input().drawing.cancel(),
    })
    // An address that leads elsewhere does not change the open layout.
    const { layouts } = store
    if (layouts.open && layouts.open.search !== writeAddress(store.view.value)) layouts.choose('')
  }

  /** Effects of the tools; each runs once at first, and again after a change of a signal that it has read. */
  get effects(): readonly (() => void)[] {
    const { store } = this.#parts
    return [
      () => this.#showCompared(),
      () => this.#bar.show(),
      () => {
        if (sessionKey.read() !== undefined) this.#watchlist.render()
      },
      () => {
        const search = writeAddress(store.view.value)
        const { open } = store.layouts
        if (open && open.search !== search) store.layouts.change(open.id, { search })
      },
    ]
  }

  /** Actions of the keys of one letter. */
  get keys(): Readonly<Record<string, () => void>> {
    return {
      t: () => this.openMenu(),
      c: () => this.compare(),
      w: () => this.#watchlist.toggle(),
      o: () => this.openLayouts(),
    }
  }

  #showCompared(): void {
    const { store, picture } = this.#parts
    const { compared = [], market } = store.view.value
    if (sessionKey.read() === undefined) return
    const markets = compared.flatMap(key => marketOf(key, market.timeframe) ?? [])
    this.compared.show(markets, Math.max(pageSize, picture().candles.length))
  }

  /** Loads everything again, for example after a new key. */
  reload(): void {
    for (const others of [this.compared, this.#watched]) others.show([], 0)
    this.#showCompared()
    this.#watchlist.render()
  }

  /** Replaces the subscriptions of the chart itself. */
  followChart(subscriptions: readonly Subscription[]): void {
    this.#followed = subscriptions
    this.#follow()
  }

  /** Subscribes to each calculation once, whoever needs it. */
  #follow(): void {
    const all = [...this.#followed, ...this.compared.subscriptions, ...this.#watched.subscriptions]
    const keyOf = ({ market, indicator, params }: Subscription) =>
      `${liveKey(market)} ${indicator} ${JSON.stringify(params)}`
    const keys = all.map(keyOf)
    this.#parts.follow(all.filter((each, at) => keys.indexOf(keyOf(each)) === at))
  }

  receive(update: Update): void {
    this.compared.receive(update)
    this.#watched.receive(update)
  }

  refuseSubscription(id: string, error: string): void {
    this.compared.refuseSubscription(id, error)
    this.#watched.refuseSubscription(id, error)
  }

  reconnected(): void {
    this.compared.reconnected()
    this.#watched.reconnected()
  }

  openLayouts(): void {
    const { store, toasts } = this.#parts
    openLayouts(store, toasts)
  }

  /** Searches for a market to compare with. */
  compare(): void {
    const { store, markets, toasts } = this.#parts
    const { compared = [] } = store.view.value
    if (compared.length >= maxCompared) {
      toasts.show(`The chart is compared with ${maxCompared} symbols already.`)
      return
    }
    markets.open('', {
      title: 'Compare with',
      act: market => {
        const key = symbolKey(market)
        const { compared: now = [] } = store.view.value
        if (!now.includes(key)) store.change({ compared: [...now, key] })
      },
    })
  }

  stopComparing(key: string): void {
    const { store } = this.#parts
    const { compared = [] } = store.view.value
    const left = compared.filter(each => each !== key)
    store.undo.push(() => store.change({ compared }))
    store.change({ compared: left.length > 0 ? left : undefined })
  }

  /** Opens the menu of the tools above its button. */
  openMenu(): void {
    const { stage, input } = this.#parts
    input().openMenu(this.#items(), stage.tools)
  }

  #items(): readonly MenuItem[] {
    const { store, input, decimals } = this.#parts
    const kinds = Object.keys(drawingPoints) as DrawingKind[]
    const drawings = store.drawings.of(store.market)
    const begins = true
    return [
      ...kinds.map(kind => ({
        label: drawingLabels[kind],
        act: () => input().drawing.begin(kind),
      })),
      ...drawings.map((drawing, at) => ({
        label: `Choose: ${drawingTitle(drawing, decimals())}`,
        act: () => input().drawing.select(drawing.id),
        begins: at === 0,
      })),
      { label: 'Compare with …', act: () => this.compare(), key: 'c', begins },
      { label: 'Watchlist', act: () => this.#watchlist.toggle(), key: 'w' },
      { label: 'Layouts …', act: () => this.openLayouts(), key: 'o' },
      { label: 'Go to a date …', act: () => input().openDate(), begins },
      { label: 'Save as a picture', act: () => input().savePicture() },
    ]
  }
}
