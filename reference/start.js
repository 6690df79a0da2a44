// Shows openapi.json with Swagger UI, light or dark as the system is.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
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

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  plugins: [plainDocument],
  tryItOutEnabled: true,
  validatorUrl: null,
})
