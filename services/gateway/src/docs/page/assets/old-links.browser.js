// The reference was one page once: links to its parts lead to their pages.
{
  const places = {
    start: '/docs/first-video',
    keys: '/docs/first-video#1-create-a-key',
    idempotency: '/docs/idempotency-and-retries',
    credits: '/docs/billing',
    cancel: '/docs/idempotency-and-retries#cancel',
    limits: '/docs/limits-and-budgets',
    webhooks: '/docs/polling-and-webhooks#webhooks',
    trimmed: '/docs/media',
    rules: '/docs/errors',
    'try-it': '/docs/try-it',
    routes: '/docs/api',
    fields: '/docs/api/createVideoGeneration#fields',
    models: '/docs/models',
    errors: '/docs/errors',
    objects: '/docs/objects',
  }

  function newPlace(id) {
    if (Object.hasOwn(places, id)) return places[id]
    // The console of before lends a key to this address; the form takes it only where this tab asked for it.
    if (id.startsWith('key=')) return `/docs/try-it#${id}`
    if (id.startsWith('error-')) return `/docs/errors#${id.slice('error-'.length)}`
    if (/^[A-Z][A-Za-z0-9]+$/.test(id)) return `/docs/objects#${id.toLowerCase()}`
    if (/^[a-z]+[A-Z][A-Za-z]+$/.test(id)) return `/docs/api/${id}`
    if (/^[a-z]+-[a-z0-9.-]+$/.test(id)) return `/docs/models/${id}`
    return undefined
  }

  function leave() {
    const id = location.hash.slice(1)
    const place = document.getElementById(id) ? undefined : newPlace(id)
    if (place !== undefined) location.replace(place)
  }
  addEventListener('hashchange', leave)
  leave()
}
