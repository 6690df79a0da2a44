import { CandleChart } from './chart/candle-chart.js'
import { DrawingLayer } from './chart/drawing-layer.js'
import { timeZones, zoneText } from './chart/times.js'
import { ChartInput } from './chart-input.js'
import { Alerting } from './controls/alerting.js'
import { Announcer } from './controls/announcer.js'
import { ComparedRows } from './controls/compared-rows.js'
import { openHelp, openKey } from './controls/dialogs.js'
import { setAttribute, setText } from './controls/dom.js'
import { openEvaluation } from './controls/evaluation-dialog.js'
import { FormDrawer } from './controls/form-drawer.js'
import { IndicatorPalette } from './controls/indicator-palette.js'
import { Legend } from './controls/legend.js'
import { MarketPalette } from './controls/market-palette.js'
import { Notice } from './controls/notice.js'
import { copy, RequestDrawer } from './controls/request-drawer.js'
import { ScreenDialog } from './controls/screen-dialog.js'
import { listenForKeys } from './controls/shortcuts.js'
import { createStage, type Stage } from './controls/stage.js'
import { applyTheme, matchSystemDark } from './controls/theme.js'
import { Toasts } from './controls/toasts.js'
import { TopBar } from './controls/top-bar.js'
import { AddressBar } from './model/address-bar.js'
import { CatalogueLoader } from './model/catalogue-loader.js'
import { ExpressionCheck } from './model/expression-check.js'
import { Loader } from './model/loader.js'
import { pageDefaults } from './model/page-defaults.js'
import { Picture } from './model/picture.js'
import { PineScript } from './model/pine-script.js'
import { Store } from './model/store.js'
import { Painter } from './painter.js'
import { ServiceClient } from './service/client.js'
import { Streaming, type StreamState } from './service/streaming.js'
import { StudyEdits } from './study-edits.js'
import { Tools } from './tools.js'
import { readAddress } from './view/address.js'
import { effect, untracked } from './view/signal.js'
import { lastView, sessionKey } from './view/storage.js'
import { frequentTimeframes, type Market, withChangedStudy, withStudy } from './view/view.js'

/** The page: creates its parts and connects their changes. */
export class App {
  /** The address of the page's folder, which is also that of the service, below whatever path a proxy has. */
  readonly #base = new URL('.', document.baseURI).href
  readonly #store = new Store(readAddress(location.search || (lastView.read() ?? '')))
  readonly #stage: Stage = createStage()
  readonly #address = new AddressBar(this.#store)
  readonly #announcer = new Announcer()
  readonly #client = new ServiceClient({
    base: this.#base,
    key: sessionKey.read,
    onReply: reply => {
      // The drawer shows the reply with the values.
      if (/ \/(bulk|candles)/.test(reply.request)) this.#store.reply.value = reply
    },
  })
  /** Client for requests that the request drawer does not show. */
  readonly #otherClient = new ServiceClient({ base: this.#base, key: sessionKey.read })
  readonly #streaming = this.#createStreaming()
  readonly #picture = this.#createPicture()
  readonly #toasts = new Toasts()
  readonly #edits = new StudyEdits({
    store: this.#store,
    toasts: this.#toasts,
    host: this.#stage.chart,
    picture: () => this.#picture,
    form: () => this.#form,
    indicators: () => this.#indicators,
  })
  readonly #alerting = new Alerting({ store: this.#store, client: this.#otherClient, toasts: this.#toasts })
  readonly #markets = new MarketPalette({
    client: this.#client,
    market: () => this.#store.market,
    onPick: market => this.#store.change({ market }),
  })
  readonly #indicators = new IndicatorPalette({
    store: this.#store,
    onPick: (indicator, params) => this.#store.change(withStudy(this.#store.view.value, indicator, params)),
    check: new ExpressionCheck(this.#otherClient),
    script: new PineScript(this.#otherClient),
    onExpression: (expression, id) => this.#edits.plot(expression, id),
    onAlert: expression => {
      this.#edits.plot(expression, undefined)
      void this.#alerting.make({ expression })
    },
    onDraw: kind => this.#input.drawing.begin(kind),
    onSymbol: text => this.#markets.open(text),
    symbolsOf: exchange => this.#markets.symbolsOf(exchange),
  })
  readonly #screen = new ScreenDialog({
    client: this.#otherClient,
    view: () => this.#store.view.value,
    streaming: this.#streaming,
    onPick: market => this.#leaveScreen(market),
  })
  readonly #bar = this.#createBar()
  readonly #notice = this.#createNotice()
  readonly #chart = new CandleChart({
    host: this.#stage.chart,
    onPointed: ({ timestamp, x, y, texts }) => {
      this.#stage.showTooltip(texts, x, y)
      this.#store.pointed.value = timestamp
    },
    onOldest: () => void this.#picture.loadOlder(),
    onMoved: () => {
      this.#stage.newest.hidden = this.#chart.isAtNewest
      this.#showBeginning()
      if (this.#store.view.value.compared) this.#legend.showCompared()
    },
  })
  readonly #layer = new DrawingLayer(this.#chart)
  readonly #tools = this.#createTools()
  readonly #legend = this.#createLegend()
  readonly #form: FormDrawer = this.#createForm()
  readonly #request = this.#createRequest()
  readonly #painter: Painter = new Painter({
    store: this.#store,
    picture: this.#picture,
    chart: this.#chart,
    layer: this.#layer,
    compared: this.#tools.compared,
    legend: this.#legend,
    form: this.#form,
    request: this.#request,
    announcer: this.#announcer,
  })
  readonly #input: ChartInput = new ChartInput({
    host: this.#stage.chart,
    hint: this.#stage.hint,
    layer: this.#layer,
    toasts: this.#toasts,
    chart: this.#chart,
    store: this.#store,
    picture: this.#picture,
    alerting: this.#alerting,
  })

  start(): void {
    document.body.append(this.#stage.root, this.#announcer.element, this.#toasts.element)
    if (sessionKey.read() === undefined) this.#store.loading.value = { kind: 'no-key', error: undefined }
    else this.#streaming.open()
    for (const work of [...this.#effects(), ...this.#tools.effects]) effect(work)
    this.#listen()
  }

  #createTools(): Tools {
    return new Tools({
      store: this.#store,
      stage: this.#stage,
      client: this.#otherClient,
      toasts: this.#toasts,
      markets: this.#markets,
      picture: () => this.#picture,
      input: () => this.#input,
      decimals: () => this.#chart.decimals,
      follow: subscriptions => this.#streaming.follow(subscriptions),
      showCompared: (other, isLive) => this.#painter.showCompared(other, isLive),
    })
  }

  /** Effects of the page; each runs once at first, and again after a change of a signal that it has read. */
  #effects(): readonly (() => void)[] {
    const store = this.#store
    const isSystemDark = matchSystemDark()
    return [
      () => this.#restyle(isSystemDark.value),
      () => this.#address.write(),
      () => this.#chart.setManner(store.view.value),
      () => this.#showBeginning(),
      () => this.#painter.showDrawings(),
      () => this.#bar.show(store.market),
      () => this.#notice.show(store.status, this.#picture.candles.length > 0),
      () => {
        const view = store.view.value
        untracked(() => this.#painter.viewChanged(view))
        if (sessionKey.read() !== undefined) untracked(() => this.#picture.show(view))
      },
      () => this.#legend.render(store.view.value),
      () => this.#legend.show(store.pointed.value),
      () => this.#indicators.refresh(),
      () => this.#request.refresh(),
      () => this.#streamChanged(store.stream.value),
      () => void (store.preferences.value.alerts && this.#streaming.alerts()),
      () => this.#painter.showFirings(this.#alerting.book.firings.value),
    ]
  }

  #showBeginning(): void {
    const reason = this.#store.beginning.value
    const { beginning } = this.#stage
    beginning.hidden = reason === undefined || !this.#chart.isAtOldest
    if (reason !== undefined) setText(beginning, reason)
  }

  #createStreaming(): Streaming {
    const url = new URL('streaming', this.#base)
    url.protocol = url.protocol.replace('http', 'ws')
    return new Streaming({
      url: url.href,
      key: sessionKey.read,
      onState: state => {
        this.#store.stream.value = state
      },
      onUpdate: update => {
        this.#picture.receive(update)
        this.#tools.receive(update)
      },
      onRefused: (id, error) => {
        this.#picture.refuseSubscription(id, error)
        this.#tools.refuseSubscription(id, error)
      },
      onAlert: firing => this.#alerting.receive(firing),
    })
  }

  #createPicture(): Picture {
    const loader = new Loader({
      client: this.#client,
      onStatus: status => {
        this.#store.loading.value = status
      },
    })
    const catalogue = new CatalogueLoader(loader, this.#store)
    return new Picture({
      loader,
      catalogue: () => catalogue.load(),
      follow: subscriptions => this.#tools.followChart(subscriptions),
      listener: () => this.#painter,
      findNear: market => this.#markets.findNear(market),
    })
  }

  #streamChanged(state: StreamState): void {
    const { loading } = this.#store
    const hasCandles = this.#picture.candles.length > 0
    switch (state.kind) {
      case 'open':
        this.#picture.reconnected()
        this.#tools.reconnected()
        if (hasCandles) loading.value = this.#picture.openStatus
        break
      case 'waiting':
        this.#screen.connectionLost()
        // Without candles, the status of the candle requests explains the error.
        if (hasCandles)
          loading.value = { kind: state.isStopped ? 'stopped' : 'reconnecting', retryAt: state.retryAt }
        break
      case 'refused':
        this.#screen.close()
        loading.value = { kind: 'no-key', error: state.error }
    }
  }

  #createBar(): TopBar {
    return new TopBar({
      host: this.#stage.bar,
      store: this.#store,
      onSearch: () => this.#markets.open(),
      onTimeframe: timeframe => this.#store.change({ market: { ...this.#store.market, timeframe } }),
      onIndicators: () => this.#indicators.open(),
      onScreen: () => this.#withKey(() => this.#screen.open()),
      onAlerts: () => this.#withKey(() => this.#alerting.open()),
      onRequest: () => this.#toggleRequest(),
      onShare: () => copy(new URL(this.#address.text, location.href).href),
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
        if (this.#picture.candles.length === 0) this.#picture.reload(this.#store.view.value.studies)
      },
      onKey: (key, isOnDevice) => this.#useKey(key, isOnDevice),
      onMarket: market => this.#store.change({ market }),
      onSearch: () => this.#markets.open(),
    })
  }

  #createLegend(): Legend {
    return new Legend({
      host: this.#stage.legends,
      chart: this.#chart,
      picture: this.#picture,
      describe: indicator => this.#store.describe(indicator),
      onEdit: id => this.#edits.edit(id),
      onAlert: expression => void this.#alerting.make({ expression }),
      onEvaluate: (id, expression) =>
        void openEvaluation(
          { store: this.#store, picture: this.#picture, client: this.#otherClient },
          id,
          expression,
        ),
      layout: () => this.#store.layouts.open?.name,
      onLook: id => this.#edits.editLook(id),
      compared: new ComparedRows({
        chart: this.#chart,
        compared: this.#tools.compared,
        closesOf: key => this.#painter.closesOf(key),
        onRemove: key => this.#tools.stopComparing(key),
      }),
      onHide: id => this.#edits.hide(id),
      onRemove: id => this.#edits.remove(id),
    })
  }

  #createForm(): FormDrawer {
    return new FormDrawer({
      host: this.#stage.form,
      defaults: indicator => pageDefaults(indicator, this.#store.market.timeframe),
      onChange: (id, params) => this.#store.change(withChangedStudy(this.#store.view.value, id, { params })),
      onHide: id => this.#edits.hide(id),
      onRemove: id => this.#edits.remove(id),
      onClose: () => this.#stage.chart.focus(),
    })
  }

  #createRequest(): RequestDrawer {
    return new RequestDrawer({
      host: this.#stage.request,
      base: this.#base,
      store: this.#store,
      picture: this.#picture,
      decimals: () => this.#chart.decimals,
      text: (id, output, value) => this.#chart.textOf(id, output, value),
      onClose: () => {
        this.#bar.showRequest(false)
        this.#stage.chart.focus()
      },
    })
  }

  /** Runs an act that needs a key, after asking for a key if there is none. */
  #withKey(act: () => void): void {
    if (sessionKey.read() === undefined) this.#openKey()
    else act()
  }

  #leaveScreen(market: Market): void {
    this.#store.change({ market })
    this.#toasts.show(market.symbol, { label: 'Back to the table', act: () => this.#screen.open() })
  }

  #toggleRequest(): void {
    if (this.#request.isOpen) this.#request.close()
    else {
      this.#request.open()
      this.#bar.showRequest(true)
    }
  }

  #openKey(): void {
    openKey((key, isOnDevice) => this.#useKey(key, isOnDevice))
  }

  #useKey(key: string, isOnDevice: boolean): void {
    sessionKey.write(key, isOnDevice)
    this.#streaming.close()
    this.#streaming.open()
    const view = this.#store.view.value
    if (this.#picture.market) this.#picture.reload(view.studies)
    else this.#picture.show(view)
    this.#tools.reload()
  }

  #restyle(isSystemDark: boolean): void {
    const preferences = this.#store.preferences.value
    this.#bar.showTheme(applyTheme(preferences, isSystemDark))
    this.#chart.restyle(preferences.times)
    setText(this.#stage.zone, zoneText(preferences.times))
    setAttribute(this.#stage.zone, 'aria-label', `Time zone: ${zoneText(preferences.times)}`)
    untracked(() => this.#legend.render(this.#store.view.value))
  }

  #listen(): void {
    addEventListener('online', () => this.#streaming.open())
    listenForKeys(this.#keys(), () => this.#store.preferences.value.shortcuts, this.#stage.cover)
    this.#stage.newest.addEventListener('click', () => this.#chart.showNewest())
    this.#stage.zone.addEventListener('click', () => {
      const { preferences } = this.#store
      const items = timeZones().map(([times, label]) => ({
        label,
        act: () => preferences.change({ times }),
      }))
      this.#input.openMenu(items, this.#stage.zone)
    })
  }

  #keys(): Readonly<Record<string, () => void>> {
    const { preferences } = this.#store
    const timeframes = frequentTimeframes.map((timeframe, at) => [
      String(at + 1),
      () => this.#store.change({ market: { ...this.#store.market, timeframe } }),
    ])
    return {
      ...Object.fromEntries(timeframes),
      s: () => this.#markets.open(),
      '/': () => this.#indicators.open(),
      m: () => this.#withKey(() => this.#screen.open()),
      a: () => this.#withKey(() => this.#alerting.open()),
      r: () => this.#toggleRequest(),
      d: () => this.#bar.toggleTheme(),
      u: () => preferences.change({ times: preferences.value.times === 'utc' ? 'local' : 'utc' }),
      '?': openHelp,
      End: () => this.#chart.showNewest(),
      z: () => this.#store.undo.undo(),
      ...this.#tools.keys,
      l: () => this.#store.change({ scale: this.#store.view.value.scale === 'log' ? undefined : 'log' }),
    }
  }
}
