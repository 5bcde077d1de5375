// For every page: the policy for markup, local times, copy buttons, closing menus, single form submission.

// The browser takes markup from scripts only through this policy. All of it is the console's own, with every value escaped.
const ownMarkup = { createHTML: markup => markup }
globalThis.markupPolicy = globalThis.trustedTypes?.createPolicy('console', ownMarkup) ?? ownMarkup

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
function showLocalTimes(root) {
  for (const element of root.querySelectorAll('time[data-local]')) {
    element.textContent = local.format(new Date(element.dateTime))
    element.title = element.dateTime
  }
}
showLocalTimes(document)
document.addEventListener('filmgate:changed', event => showLocalTimes(event.target))

document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]')
  if (!button) return
  const source = document.getElementById(button.dataset.copy)
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(source)
    button.textContent = 'Selected: press Ctrl-C'
  }
  setTimeout(() => {
    button.textContent = label
  }, 2_000)
})
for (const button of document.querySelectorAll('button[data-copy][hidden]')) button.hidden = false

// The menu may be a scrolling row: scroll the current page into view.
document.querySelector('.side [aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

const menus = document.querySelectorAll('details.person, details.switch')
document.addEventListener('click', event => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  for (const menu of menus) {
    if (menu.open && menu.contains(document.activeElement)) menu.querySelector('summary').focus()
    menu.open = false
  }
})

document.addEventListener('submit', event => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.sent) return event.preventDefault()
  const question = form.dataset.confirm
  if (question && !confirm(question)) return event.preventDefault()
  form.dataset.sent = 'yes'
})
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})
