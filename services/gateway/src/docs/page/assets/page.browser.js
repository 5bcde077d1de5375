// Runs beside early.browser.js, whose functions it uses: menu, samples and copy buttons.
const element = id => document.getElementById(id)
const menu = element('menu')
const wide = matchMedia('(min-width: 60rem)')

function placeMenu() {
  menu.open = wide.matches
}
wide.addEventListener('change', placeMenu)
placeMenu()
if (wide.matches) document.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

function remember(name, value) {
  try {
    localStorage.setItem(`filmgate:${name}`, value)
  } catch {
    // Then it holds for this page alone.
  }
}

function chooseLanguage(language) {
  root.dataset.language = language
  showLanguage()
}
function showLanguage() {
  for (const sample of document.querySelectorAll('.sample')) {
    const has = sample.dataset.has.split(' ')
    const shown = has.includes(root.dataset.language) ? root.dataset.language : has[0]
    for (const tab of sample.querySelectorAll('[data-choose-language]'))
      tab.setAttribute('aria-pressed', tab.dataset.chooseLanguage === shown)
  }
}
for (const tab of document.querySelectorAll('[data-choose-language]')) {
  tab.addEventListener('click', () => {
    // The samples above the chosen one change their heights too: it stays where it is on the screen.
    const before = tab.getBoundingClientRect().top
    chooseLanguage(tab.dataset.chooseLanguage)
    remember('language', tab.dataset.chooseLanguage)
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
  })
}
showLanguage()

let examples
/** All models and modes, fetched once. */
async function loadExamples() {
  examples ??= fetch('/docs/examples.json').then(response => response.json())
  return examples
}

async function chooseExample(id) {
  const { catalog, examples: bodies } = await loadExamples()
  const body = bodies[id]
  if (!body) return
  remember('example', JSON.stringify({ catalog, body }))
  fill(document, body)
  showExample(body)
}
function showExample({ model, mode }) {
  for (const choice of document.querySelectorAll('[data-choose-example]')) {
    const option = [...choice.options].find(({ value }) => value === `${model}.${mode}`)
    if (option) choice.value = option.value
  }
}
for (const choice of document.querySelectorAll('[data-choose-example]')) {
  choice.addEventListener('change', () => void chooseExample(choice.value))
}
if (example) showExample(example)
else if (chosen?.body) void chooseExample(`${chosen.body.model}.${chosen.body.mode}`)

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
