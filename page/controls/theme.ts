import { Signal } from '../view/signal.js'
import type { Preferences } from '../view/storage.js'

/** Whether the system is dark, as it is now and as it becomes. */
export function matchSystemDark(): Signal<boolean> {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const isDark = new Signal(query.matches)
  query.addEventListener('change', () => {
    isDark.value = query.matches
  })
  return isDark
}

/** Has the style sheet take the theme and the colours that are preferred. Returns whether it is dark. */
export function applyTheme({ theme, colours }: Preferences, isSystemDark: boolean): boolean {
  const isDark = theme === 'dark' || (theme === 'system' && isSystemDark)
  const { dataset } = document.documentElement
  dataset.theme = isDark ? 'dark' : 'light'
  dataset.colours = colours
  return isDark
}
