import { sessionKey } from '../view/storage.js'
import { h, helpLink } from './dom.js'
import { icon } from './icons.js'
import { keyForm } from './notice.js'

/** A dialog over the page with a heading; Escape, its cross and a click outside close it. */
export function dialogFrame(title: string, ...children: readonly (Node | false)[]): HTMLDialogElement {
  const close = h(
    'button',
    { class: 'icon-button', attributes: { type: 'button', 'aria-label': 'Close' } },
    icon('close'),
  )
  const dialog = h(
    'dialog',
    { class: 'dialog', attributes: { 'aria-label': title } },
    h('header', {}, h('h2', { text: title }), close),
    ...children,
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close()
  })
  return dialog
}

/** Shows a dialog that is used once. */
export function openDialog(title: string, ...children: readonly (Node | false)[]): HTMLDialogElement {
  const dialog = dialogFrame(title, ...children)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

const keys: readonly (readonly [string, string])[] = [
  ['s', 'Search for a symbol'],
  ['/', 'Add an indicator'],
  ['m', 'Screen markets'],
  ['1 … 7', 'Timeframe'],
  ['a', 'Alerts'],
  ['r', 'The request of this chart'],
  ['d', 'Light or dark'],
  ['u', 'Times in UTC or local'],
  ['← →', 'Crosshair to the candle before or after, on the chart'],
  ['Shift + F10', 'What can be done at the candle of the crosshair'],
  ['+ −', 'Zoom'],
  ['End', 'Back to the newest candle'],
  ['l', 'Logarithmic scale'],
  ['t', 'Tools: draw, compare, watchlist, layouts'],
  ['c', 'Compare with another symbol'],
  ['w', 'Watchlist'],
  ['o', 'Layouts'],
  ['Del', 'Remove the drawing that is chosen; arrow keys move it'],
  ['z', 'Take back the last removal or change of a drawing'],
  ['Esc', 'Close what is open'],
  ['?', 'This list'],
]

const helpLinks = () =>
  h(
    'ul',
    { class: 'help-links' },
    ...[
      helpLink('This page', '/page'),
      helpLink('Coming from TradingView', '/tradingview'),
      helpLink('A first bot', '/first-bot'),
      helpLink('When something does not work', '/troubleshooting'),
      helpLink('All documents, with a search'),
      h('a', { text: 'Reference of the interface', attributes: { href: 'docs' } }),
    ].map(link => h('li', {}, link)),
  )

export function openHelp(): void {
  openDialog(
    'Help',
    helpLinks(),
    h(
      'dl',
      { class: 'keys' },
      ...keys.flatMap(([key, meaning]) => [
        h(
          'dt',
          {},
          ...key
            .split(' ')
            .map(each =>
              each === '…' || (each === '+' && key.length > 3) ? ` ${each} ` : h('kbd', { text: each }),
            ),
        ),
        h('dd', { text: meaning }),
      ]),
    ),
    h('p', {
      class: 'card-note key-hint',
      text: 'Keys of one letter can be switched off under Appearance.',
    }),
    h(
      'p',
      { class: 'card-note' },
      'Charts: TradingView Lightweight Charts™, Copyright 2025 TradingView, Inc. ',
      h('a', {
        text: 'https://www.tradingview.com/',
        attributes: { href: 'https://www.tradingview.com/', rel: 'noopener noreferrer', target: '_blank' },
      }),
    ),
  )
}

/** Lets a person change or forget the key. */
export function openKey(onKey: (key: string, isOnDevice: boolean) => void): void {
  const isKnown = sessionKey.read() !== undefined
  const dialog = openDialog(
    'API key',
    h('p', {
      text: isKnown
        ? 'This tab has a key. It is forgotten when the tab is closed, unless it is remembered on this device.'
        : 'The key stays in this tab, and is forgotten when the tab is closed, unless it is remembered on this device.',
    }),
    keyForm((key, isOnDevice) => {
      dialog.close()
      onKey(key, isOnDevice)
    }),
    isKnown &&
      h('button', {
        class: 'button',
        text: 'Forget the key',
        attributes: { type: 'button' },
        on: {
          click: () => {
            sessionKey.clear()
            location.reload()
          },
        },
      }),
  )
}
