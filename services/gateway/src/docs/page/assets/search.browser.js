// Runs behind page.browser.js: the search over all pages. Its index is fetched when it is first opened.
{
  const resultsMax = 30
  const dialog = document.createElement('dialog')
  dialog.className = 'finder'
  dialog.setAttribute('aria-label', 'Search the reference')
  const input = Object.assign(document.createElement('input'), { type: 'search', id: 'search', autocomplete: 'off', spellcheck: false })
  input.setAttribute('aria-label', 'Search the reference')
  input.placeholder = 'A field, a code, a model, a word'
  const found = Object.assign(document.createElement('p'), { className: 'soft', id: 'found' })
  found.setAttribute('role', 'status')
  const list = Object.assign(document.createElement('ul'), { id: 'results' })
  dialog.append(input, found, list)
  document.body.append(dialog)

  let index
  async function loadIndex() {
    index ??= fetch('/docs/search.json').then(response => response.json())
    return index
  }

  /** How well an entry fits a word; 0 where it does not. */
  function rank([title, page, , codes], word) {
    const words = title.toLowerCase()
    if (words === word) return 100
    if (words.startsWith(word)) return 50
    if (words.includes(word)) return 20
    const all = codes.toLowerCase().split(' ')
    if (all.includes(word)) return 15
    if (all.some(code => code.includes(word))) return 5
    return page.toLowerCase().includes(word) ? 2 : 0
  }

  async function search() {
    const entries = await loadIndex()
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const ranked = entries
      .map(entry => {
        const ranks = words.map(word => rank(entry, word))
        // Of equal titles the page goes before its parts.
        return { entry, rank: ranks.includes(0) ? 0 : ranks.reduce((sum, value) => sum + value, entry[2].includes('#') ? 0 : 1) }
      })
      .filter(({ rank: own }) => own > 0)
      .sort((a, b) => b.rank - a.rank)
    list.replaceChildren(...(words.length === 0 ? [] : ranked.slice(0, resultsMax).map(({ entry }) => result(entry))))
    found.textContent = words.length === 0 ? '' : ranked.length === 0 ? 'Nothing found' : `${ranked.length} found`
  }

  function result([title, page, address]) {
    const link = Object.assign(document.createElement('a'), { href: `/docs${address}` })
    const words = Object.assign(document.createElement('span'), { textContent: title })
    const place = Object.assign(document.createElement('span'), { className: 'soft', textContent: page })
    link.append(words, ' ', place)
    // A link within the page that is shown loads nothing.
    link.addEventListener('click', () => dialog.close())
    const item = document.createElement('li')
    item.append(link)
    return item
  }

  function open() {
    menu.open = wide.matches
    dialog.showModal()
    input.select()
    void loadIndex()
  }

  /** Down from the field is the first result; up from the first is the field. */
  function move(event) {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    const next = event.key === 'ArrowDown' ? links[at + 1] : at === 0 ? input : links[at - 1]
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  input.addEventListener('input', () => void search())
  dialog.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click()
    if (event.key === 'Escape') {
      // A search field would only be emptied by it.
      event.preventDefault()
      dialog.close()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event)
  })
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close()
  })
  element('open-search').addEventListener('click', open)
  addEventListener('keydown', event => {
    if (event.key !== '/' || dialog.open || event.target.matches('input, textarea, select')) return
    event.preventDefault()
    open()
  })
}
