type Child = Node | string | undefined | false

interface Props {
  readonly class?: string
  readonly text?: string
  /** Attributes; `false` and `undefined` leave one out, `true` writes it without a value. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly on?: { readonly [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void }
}

/** An element with its children. Texts are always text: nothing that is shown is read as HTML. */
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

/** Writes an attribute, or takes it away. */
export function setAttribute(
  element: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) element.removeAttribute(name)
  else element.setAttribute(name, value === true ? '' : String(value))
}

/** Changes a text only if it is another one, because the browser would lay it out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** A link to a section of the help, which leaves the chart where it is. */
export const helpLink = (text: string, section = ''): HTMLAnchorElement =>
  h('a', { text, attributes: { href: `help${section}`, target: '_blank', rel: 'noopener' } })

let lastId = 0
/** An id for an element that another one names. */
export const newId = (prefix: string): string => `${prefix}-${++lastId}`

/** Types of inputs that take no letters: a timeframe that was clicked keeps the focus, and keys still work. */
const letterless = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Whether letters belong to this element. A field of a closed dialog keeps the focus until the next picture. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.checkVisibility() &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !letterless.test(target.type)))
