type Child = Node | string | undefined | false

interface Props {
  readonly class?: string
  readonly text?: string
  /** Attributes; `false` and `undefined` omit one, `true` writes it without a value. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly on?: { readonly [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void }
}

/** An element with its children. Texts are never parsed as HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, attributes = {}, on = {} }: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (text !== undefined) element.textContent = text
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value)
  for (const [name, listen] of Object.entries(on)) element.addEventListener(name, listen as EventListener)
  for (const child of children) if (child) element.append(child)
  return element
}

/** Sets an attribute, or removes it. */
export function setAttribute(
  element: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) element.removeAttribute(name)
  else element.setAttribute(name, value === true ? '' : String(value))
}

/** Changes a text only if it differs, because the browser would lay it out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** A link to a section of the help, which opens in another tab. */
export const helpLink = (text: string, section = ''): HTMLAnchorElement =>
  h('a', { text, attributes: { href: `help${section}`, target: '_blank', rel: 'noopener' } })

let lastId = 0
/** An id for an element that another element references. */
export const newId = (prefix: string): string => `${prefix}-${++lastId}`

/** Input types that use no letters: a clicked timeframe keeps the focus, and keys still work. */
const letterless = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Whether letters are typed into this element. A field of a closed dialog keeps the focus until the next frame. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.checkVisibility() &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !letterless.test(target.type)))
