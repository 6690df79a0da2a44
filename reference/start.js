// Shows openapi.json with Swagger UI, light or dark as the system is.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
}
dark.addEventListener('change', follow)
follow()

/** A part of the document with every reference replaced by what it refers to. */
function withoutReferences(part, whole) {
  if (Array.isArray(part)) return part.map(item => withoutReferences(item, whole))
  if (typeof part !== 'object' || part === null) return part
  if (typeof part.$ref === 'string') {
    const keys = part.$ref.slice(2).split('/')
    return withoutReferences(
      keys.reduce((inner, key) => inner[key], whole),
      whole,
    )
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => [key, withoutReferences(inner, whole)]),
  )
}

/**
 * Reads the document as JSON and resolves its references here. Swagger UI reads it as YAML and gives it whole to a
 * general resolver whenever an operation is opened, which takes seconds for a document of this size.
 */
const plainDocument = () => {
  let whole
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson:
            (_, { specActions }) =>
            text => {
              whole = JSON.parse(text)
              return specActions.updateJsonSpec(whole)
            },
          requestResolvedSubtree:
            (_, { specActions, specSelectors }) =>
            path => {
              if (specSelectors.specResolvedSubtree(path)) return
              const part = path.reduce((inner, key) => inner?.[key], whole)
              specActions.updateResolvedSubtree(path, withoutReferences(part, whole))
            },
        },
      },
    },
  }
}

/** Finds the operations that have all words in their path, title or description. */
const wordFilter = () => ({
  fn: {
    opsFilter: (taggedOperations, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
      const isWanted = operation => {
        const text = [
          operation.get('path'),
          operation.getIn(['operation', 'summary']),
          operation.getIn(['operation', 'description']),
        ]
          .join(' ')
          .toLowerCase()
        return words.every(word => text.includes(word))
      }
      return taggedOperations
        .map(tag => tag.set('operations', tag.get('operations').filter(isWanted)))
        .filter(tag => tag.get('operations').size > 0)
    },
  },
})

const names = [
  ['.information-container section', 'About the interface'],
  ['section.schemes', 'Server and key'],
  ['section.filter', 'Filter'],
  ['#servers', 'Server'],
]

/** Sets names and levels of headings that Swagger UI leaves out and a screen reader needs. */
const complete = () => {
  for (const [selector, label] of names) document.querySelector(selector)?.setAttribute('aria-label', label)
  for (const tag of document.querySelectorAll('h3.opblock-tag:not([aria-level])')) {
    tag.setAttribute('role', 'heading')
    tag.setAttribute('aria-level', '2')
  }
}
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true })

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  plugins: [plainDocument, wordFilter],
  tryItOutEnabled: true,
  validatorUrl: null,
})
