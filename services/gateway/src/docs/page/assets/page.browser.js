// What the page does beside showing itself: its menu, search, copy buttons, links to folded sections and its own host in the examples.
const element = id => document.getElementById(id)
const menu = element('menu')
const wide = matchMedia('(min-width: 60rem)')

function placeMenu() {
  menu.open = wide.matches
}
wide.addEventListener('change', placeMenu)
placeMenu()
menu.addEventListener('click', event => {
  if (!wide.matches && event.target instanceof HTMLAnchorElement) menu.open = false
})

// Not put there by the server: a page made from the Host header could be cached for others.
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin

/** Links of the menu and models of which every word is somewhere in what they are called. */
function search() {
  const words = element('search').value.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = text => words.every(word => text.toLowerCase().includes(word))
  const models = new Set()
  for (const model of document.querySelectorAll('[data-search]')) {
    model.hidden = !fits(model.dataset.search)
    if (!model.hidden) models.add(model.querySelector('h3').id)
  }
  // Words that are meant for other sections of the page leave the models as they are.
  const none = models.size === 0
  if (none) for (const model of document.querySelectorAll('[data-search]')) model.hidden = false
  let found = 0
  for (const item of menu.querySelectorAll('li')) {
    const id = item.firstElementChild.getAttribute('href').slice(1)
    item.hidden = !fits(item.textContent) && !(words.length > 0 && models.has(id))
    if (!item.hidden) found += 1
  }
  for (const group of menu.querySelectorAll('.group')) group.hidden = !group.querySelector('li:not([hidden])')
  element('found').textContent = words.length === 0 ? '' : `${found} found`
  element('none').textContent = words.length === 0 || none ? '' : `Shown are the ${models.size} that the search found.`
}
element('search').addEventListener('input', search)
element('search').addEventListener('keydown', event => {
  if (event.key === 'Enter') menu.querySelector('li:not([hidden]) a')?.click()
  if (event.key !== 'Escape') return
  event.target.value = ''
  search()
})
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return
  event.preventDefault()
  menu.open = true
  element('search').focus()
})

async function copy(text) {
  // Only secure contexts have a clipboard; a gateway on a local network has none.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${block.firstElementChild.getAttribute('aria-label')}`)
  button.addEventListener('click', async () => {
    await copy(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1_500)
  })
  block.append(button)
}

// A link to a model unfolds it; one into a folded section unfolds what it is in.
function openTarget() {
  const target = location.hash && element(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  const model = target.closest('.model')
  if (model?.hidden) {
    element('search').value = ''
    search()
  }
  const folded = target.closest('details') ?? model?.querySelector('details')
  if (folded && folded !== menu) folded.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()
