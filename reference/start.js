// Shows /openapi.json with Swagger UI, light or dark as the system is.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  syntaxHighlight: { activated: true, theme: 'idea' },
  tryItOutEnabled: true,
  validatorUrl: null,
})
