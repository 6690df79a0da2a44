import { CandleChart } from './chart/candle-chart.js'
import { Announcer } from './controls/announcer.js'
import { openHelp, openKey } from './controls/dialogs.js'
import { FormDrawer } from './controls/form-drawer.js'
import { IndicatorPalette } from './controls/indicator-palette.js'
import { Legend } from './controls/legend.js'
import { MarketPalette } from './controls/market-palette.js'
import { Notice } from './controls/notice.js'
import { copy, RequestDrawer } from './controls/request-drawer.js'
import { ScreenDialog } from './controls/screen-dialog.js'
import { listenForKeys } from './controls/shortcuts.js'
import { createStage, type Stage } from './controls/stage.js'
import { TopBar } from './controls/top-bar.js'
import type { Catalogue } from './model/catalogue.js'
import { CatalogueLoader } from './model/catalogue-loader.js'
import { Loader } from './model/loader.js'
import { Picture } from './model/picture.js'
import type { Status } from './model/status.js'
import { Painter } from './painter.js'
import { ServiceClient } from './service/client.js'
import { Streaming, type StreamState } from './service/streaming.js'
import { readAddress, writeAddress } from './view/address.js'
import { PreferenceStore, sessionKey } from './view/storage.js'
import {
  frequentTimeframes,
  isSameMarket,
  type View,
  withChangedStudy,
  withoutStudy,
  withStudy,
} from './view/view.js'

/** The page: what is shown, and everything that shows or changes it. */
export class App {
  readonly #preferences = new PreferenceStore()
  /** The address of the page's folder: the service is there, too, below whatever path a proxy has. */
  readonly #base = new URL('.', document.baseURI).href
  readonly #stage: Stage = createStage()
  readonly #announcer = new Announcer()
  readonly #client: ServiceClient
  readonly #streaming: Streaming
  readonly #catalogue: CatalogueLoader
  readonly #picture: Picture
  readonly #chart: CandleChart
  readonly #legend: Legend
  readonly #form: FormDrawer
  readonly #request: RequestDrawer
  readonly #bar: TopBar
  readonly #notice: Notice
  readonly #markets: MarketPalette
  readonly #indicators: IndicatorPalette
  readonly #screen: ScreenDialog
  readonly #painter: Painter
  #view: View = readAddress(location.search)
  #stream: StreamState = { kind: 'idle' }

  constructor() {
    document.body.append(this.#stage.root, this.#announcer.element)
    this.#client = new ServiceClient({
      base: this.#base,
      key: sessionKey.read,
      onReply: reply => this.#request.setReply(reply),
    })
    const loader = new Loader({ client: this.#client, onStatus: status => this.#showStatus(status) })
    this.#catalogue = new CatalogueLoader(loader, () => this.#view.market)
    this.#streaming = this.#createStreaming()
    this.#markets = new MarketPalette({
      client: this.#client,
      market: () => this.#view.market,
      onPick: market => this.#change({ ...this.#view, market }),
    })
    this.#picture = new Picture({
      loader,
      catalogue: () => this.#loadCatalogue(),
      follow: subscriptions => this.#streaming.follow(subscriptions),
      listener: () => this.#painter,
      findNear: market => this.#markets.findNear(market),
    })
    this.#indicators = new IndicatorPalette({
      catalogue: () => this.#catalogue.value,
      preferences: this.#preferences,
      onPick: indicator => this.#change(withStudy(this.#view, indicator)),
    })
    this.#screen = this.#createScreen()
    this.#bar = this.#createBar()
    this.#notice = this.#createNotice()
    this.#restyle()
    this.#chart = new CandleChart({
      host: this.#stage.chart,
      onPointed: ({ timestamp, x, y, texts }) => {
        this.#stage.showTooltip(texts, x, y)
        this.#painter.point(timestamp)
      },
      onOldest: () => void this.#picture.loadOlder(),
    })
    this.#legend = this.#createLegend()
    this.#form = this.#createForm()
    this.#request = this.#createRequest()
    this.#painter = this.#createPainter()
    this.#listen()
  }

  start(): void {
    this.#bar.show(this.#view.market)
    this.#legend.render(this.#view)
    this.#chart.setTimes(this.#preferences.value.times)
    history.replaceState(null, '', this.#address)
    if (sessionKey.read() === undefined) this.#showStatus({ kind: 'no-key', error: undefined })
    else this.#connect()
  }

  /** With it, the headings of the panes have names instead of identifiers. */
  async #loadCatalogue(): Promise<Catalogue | undefined> {
    const isNew = this.#catalogue.value === undefined
    const catalogue = await this.#catalogue.load()
    if (isNew) this.#legend.render(this.#view)
    this.#indicators.refresh()
    return catalogue
  }

  get #address(): string {
    return `${location.pathname}${writeAddress(this.#view)}`
  }

  #connect(): void {
    this.#streaming.open()
    this.#picture.show(this.#view)
  }

  #createStreaming(): Streaming {
    const url = new URL('streaming', this.#base)
    url.protocol = url.protocol.replace('http', 'ws')
    return new Streaming({
      url: url.href,
      key: sessionKey.read,
      onState: state => this.#streamChanged(state),
      onUpdate: update => this.#picture.receive(update),
      onRefused: (id, error) => this.#picture.refuseSubscription(id, error),
    })
  }

  #streamChanged(state: StreamState): void {
    this.#stream = state
    switch (state.kind) {
      case 'open':
        this.#picture.reconnected()
        if (this.#picture.candles.length > 0) this.#showStatus(this.#picture.openStatus)
        break
      case 'waiting':
        this.#screen.connectionLost()
        // Without candles, the requests for them say what is wrong.
        if (this.#picture.candles.length > 0)
          this.#showStatus({ kind: state.isStopped ? 'stopped' : 'reconnecting', retryAt: state.retryAt })
        break
      case 'refused':
        this.#screen.close()
        this.#showStatus({ kind: 'no-key', error: state.error })
    }
  }

  #createBar(): TopBar {
    return new TopBar({
      host: this.#stage.bar,
      preferences: this.#preferences,
      onSearch: () => this.#markets.open(),
      onTimeframe: timeframe => this.#change({ ...this.#view, market: { ...this.#view.market, timeframe } }),
      onIndicators: () => this.#indicators.open(),
      onScreen: () => this.#openScreen(),
      onRequest: () => this.#toggleRequest(),
      onShare: () => copy(new URL(this.#address, location.href).href),
      onKey: () => this.#openKey(),
      onHelp: openHelp,
    })
  }

  #createNotice(): Notice {
    return new Notice({
      cover: this.#stage.cover,
      line: this.#stage.line,
      badge: this.#bar.badge,
      onRetry: () => {
        this.#streaming.open()
        if (this.#picture.candles.length === 0) this.#picture.reload(this.#view.studies)
      },
      onKey: key => this.#useKey(key),
      onMarket: market => this.#change({ ...this.#view, market }),
      onSearch: () => this.#markets.open(),
    })
  }

  #createLegend(): Legend {
    return new Legend({
      host: this.#stage.legends,
      chart: this.#chart,
      picture: this.#picture,
      describe: indicator => this.#catalogue.value?.get(indicator),
      onEdit: id => this.#edit(id),
      onHide: id => this.#hide(id),
      onRemove: id => this.#change(withoutStudy(this.#view, id)),
    })
  }

  #createForm(): FormDrawer {
    return new FormDrawer({
      host: this.#stage.form,
      onChange: (id, params) => this.#change(withChangedStudy(this.#view, id, { params })),
      onHide: id => this.#hide(id),
      onRemove: id => this.#change(withoutStudy(this.#view, id)),
      onClose: () => this.#stage.chart.focus(),
    })
  }

  #createRequest(): RequestDrawer {
    return new RequestDrawer({
      host: this.#stage.request,
      base: this.#base,
      view: () => this.#view,
      picture: this.#picture,
      describe: indicator => this.#catalogue.value?.get(indicator),
      times: () => this.#preferences.value.times,
      decimals: () => this.#chart.decimals,
      text: (id, output, value) => this.#chart.studies.get(id)?.text(output, value) ?? '',
      onClose: () => {
        this.#bar.showRequest(false)
        this.#stage.chart.focus()
      },
    })
  }

  #createScreen(): ScreenDialog {
    return new ScreenDialog({
      // Its replies are not those of the chart, which the request drawer shows.
      client: new ServiceClient({ base: this.#base, key: sessionKey.read }),
      view: () => this.#view,
      follow: screen => this.#streaming.screen(screen),
      onPick: market => this.#change({ ...this.#view, market }),
    })
  }

  #openScreen(): void {
    if (sessionKey.read() === undefined) this.#openKey()
    else this.#screen.open()
  }

  #toggleRequest(): void {
    if (this.#request.isOpen) this.#request.close()
    else {
      this.#request.open()
      this.#bar.showRequest(true)
    }
  }

  #openKey(): void {
    openKey(
      sessionKey.read() !== undefined,
      key => this.#useKey(key),
      () => {
        sessionKey.clear()
        location.reload()
      },
    )
  }

  #useKey(key: string): void {
    sessionKey.write(key)
    this.#streaming.close()
    this.#streaming.open()
    if (this.#picture.market) this.#picture.reload(this.#view.studies)
    else this.#picture.show(this.#view)
  }

  #edit(id: string): void {
    const study = this.#view.studies.find(each => each.id === id)
    const description = study && this.#catalogue.value?.get(study.indicator)
    if (!study || !description) return
    this.#form.open(study, description)
    this.#form.showError(this.#picture.studies.get(id)?.error)
  }

  #hide(id: string): void {
    const isHidden = !this.#view.studies.find(study => study.id === id)?.isHidden
    this.#change(withChangedStudy(this.#view, id, { isHidden }))
  }

  /** Everything that changes what is shown comes through here. */
  #change(view: View): void {
    const isNewMarket = !isSameMarket(view.market, this.#view.market)
    for (const { id } of this.#view.studies)
      if (!view.studies.some(study => study.id === id)) {
        this.#chart.removeStudy(id)
        if (this.#form.studyId === id) this.#form.close()
      }
    this.#view = view
    if (isNewMarket) this.#painter.marketChanged()
    history.replaceState(null, '', this.#address)
    this.#bar.show(view.market)
    if (sessionKey.read() !== undefined) this.#picture.show(view)
    this.#legend.render(view)
    if (this.#request.isOpen) this.#request.refresh()
  }

  #createPainter(): Painter {
    return new Painter({
      picture: this.#picture,
      chart: this.#chart,
      legend: this.#legend,
      form: this.#form,
      request: this.#request,
      announcer: this.#announcer,
      catalogue: () => this.#catalogue.value,
      view: () => this.#view,
      onStatus: status => this.#showStatus(status),
    })
  }

  #showStatus(reported: Status): void {
    const stream = this.#stream
    // Candles that do not move are not live, however new they are.
    const isLost = reported.kind === 'live' && stream.kind === 'waiting'
    const status: Status = isLost ? { kind: 'reconnecting', retryAt: stream.retryAt } : reported
    this.#notice.show(status, this.#picture.candles.length > 0)
  }

  #restyle(): void {
    const { theme, colours } = this.#preferences.value
    const isDark =
      theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
    const { dataset } = document.documentElement
    dataset.theme = isDark ? 'dark' : 'light'
    dataset.colours = colours
    this.#bar.showTheme(isDark)
  }

  #listen(): void {
    const restyle = () => {
      this.#restyle()
      this.#chart.restyle()
      this.#chart.setTimes(this.#preferences.value.times)
      this.#legend.render(this.#view)
      if (this.#request.isOpen) this.#request.refresh()
    }
    this.#preferences.onChange(restyle)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle)
    addEventListener('online', () => this.#streaming.open())
    listenForKeys(this.#keys(), () => this.#preferences.value.shortcuts)
    this.#stage.chart.addEventListener('keydown', event => this.#chartKey(event))
    this.#stage.newest.addEventListener('click', () => this.#chart.showNewest())
  }

  #keys(): Readonly<Record<string, () => void>> {
    const timeframes = frequentTimeframes.map((timeframe, at) => [
      String(at + 1),
      () => this.#change({ ...this.#view, market: { ...this.#view.market, timeframe } }),
    ])
    return {
      ...Object.fromEntries(timeframes),
      s: () => this.#markets.open(),
      '/': () => this.#indicators.open(),
      m: () => this.#openScreen(),
      r: () => this.#toggleRequest(),
      d: () => this.#bar.toggleTheme(),
      u: () => this.#preferences.change({ times: this.#preferences.value.times === 'utc' ? 'local' : 'utc' }),
      '?': openHelp,
      End: () => this.#chart.showNewest(),
    }
  }

  /** Keys while the chart has the focus: they work even where keys of one letter are switched off. */
  #chartKey(event: KeyboardEvent): void {
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      '+': () => this.#chart.zoom(1.25),
      '-': () => this.#chart.zoom(0.8),
    }
    const act = acts[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }

  #step(by: number): void {
    const timestamp = this.#chart.step(by, this.#painter.pointed)
    if (timestamp !== undefined) this.#painter.point(timestamp)
  }
}
