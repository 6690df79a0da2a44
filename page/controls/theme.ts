import { Signal } from '../view/signal.js'
import type { Preferences } from '../view/storage.js'

/** Whether the system is dark, as a signal that follows changes. */
export function matchSystemDark(): Signal<boolean> {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const isDark = new Signal(query.matches)
  query.addEventListener('change', () => {
    isDark.value = query.matches
  })
  return isDark
}

/** Applies the preferred theme and colours to the style sheet. Returns whether the theme is dark. */
export function applyTheme({ theme, colours }: Preferences, isSystemDark: boolean): boolean {
  const isDark = theme === 'dark' || (theme === 'system' && isSystemDark)
  const { dataset } = document.documentElement
  dataset.theme = isDark ? 'dark' : 'light'
  dataset.colours = colours
  return isDark
}
