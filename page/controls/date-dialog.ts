import type { Candle } from '../model/rows.js'
import { openDialog } from './dialogs.js'
import { h, newId } from './dom.js'

/** Opens a dialog for a day in UTC; `onTime` is called with its start in Unix seconds. */
export function openDate(candles: readonly Candle[], onTime: (time: number) => Promise<void>): void {
  const newest = candles.at(-1)?.timestamp ?? 0
  const day = h('input', {
    attributes: {
      type: 'date',
      id: newId('date'),
      required: true,
      autofocus: true,
      max: new Date(newest * 1000).toISOString().slice(0, 10),
    },
  })
  const submit = (event: Event) => {
    event.preventDefault()
    const time = Date.parse(`${day.value}T00:00Z`) / 1000
    dialog.close()
    if (Number.isFinite(time)) void onTime(time)
  }
  const dialog = openDialog(
    'Go to a date',
    h(
      'form',
      { class: 'key-form', on: { submit } },
      h('div', { class: 'field' }, h('label', { text: 'Day (UTC)', attributes: { for: day.id } }), day),
      h('button', { class: 'button is-main', text: 'Go', attributes: { type: 'submit' } }),
    ),
  )
}
