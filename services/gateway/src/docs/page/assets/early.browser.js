// Runs before the page is drawn, so that nothing moves: the chosen language and model, and the own host in examples.
const root = document.documentElement
root.dataset.js = ''

function stored(name) {
  try {
    return localStorage.getItem(`filmgate:${name}`)
  } catch {
    // A browser may refuse storage: then nothing is remembered.
    return null
  }
}

/** The example that was chosen, of this catalog or of one before it. */
function storedExample() {
  try {
    const { catalog, body } = JSON.parse(stored('example'))
    return { isCurrent: catalog === root.dataset.catalog, body }
  } catch {
    return undefined
  }
}

/** Puts a model's example into the samples of a part of the page; those of another model stay. */
function fill(part, body) {
  for (const place of part.querySelectorAll('[data-fill]')) {
    const { model } = place.closest('.sample').dataset
    if (model !== undefined && model !== body.model) continue
    place.textContent = (body[place.dataset.fill] ?? '').replaceAll('\n', `\n${place.dataset.indent ?? ''}`)
  }
}

// The name of a language becomes a value of an attribute, and nothing else.
root.dataset.language = stored('language') ?? 'curl'
const chosen = storedExample()
const example = chosen?.isCurrent ? chosen.body : undefined

function prepare(part) {
  // Not put there by the server: a page made from the Host header could be cached for others.
  for (const place of part.querySelectorAll('[data-origin]')) place.textContent = location.origin
  if (example) fill(part, example)
}
const observer = new MutationObserver(records => {
  for (const { target } of records) if (target instanceof Element) prepare(target)
})
observer.observe(root, { childList: true, subtree: true })
document.addEventListener('DOMContentLoaded', () => {
  observer.disconnect()
  prepare(document)
})
