// The playground at once: another model without a new page, the price and the program as the fields change, and progress while a request is checked.
{
  const root = document.getElementById('playground')
  const quietMs = 350
  let asking
  let showing
  let timer

  const form = () => document.getElementById('request')
  const fieldsOf = () => new URLSearchParams([...new FormData(form())].map(([name, value]) => [name, String(value)]))

  async function post(url, signal) {
    const answer = await fetch(url, { method: 'POST', body: fieldsOf(), headers: { accept: 'application/json' }, signal })
    return { status: answer.status, answered: await answer.json() }
  }

  function showIssues(issues, all) {
    for (const issue of form().querySelectorAll('.issue[id]')) {
      const name = issue.id.slice('field-'.length, -'-issue'.length)
      const field = document.getElementById(`field-${name}`)
      const words = all || (field.value !== '' && field.type !== 'checkbox') ? issues[name] : undefined
      issue.textContent = words ?? ''
      issue.hidden = words === undefined
      if (words === undefined) field.removeAttribute('aria-invalid')
      else {
        field.setAttribute('aria-invalid', 'true')
        const folded = field.closest('details')
        if (folded) folded.open = true
      }
    }
  }

  async function estimate() {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const price = document.getElementById('price')
    price.setAttribute('aria-busy', 'true')
    try {
      const { status, answered } = await post(form().dataset.estimate, signal)
      if (status === 401) return location.reload()
      if (status !== 200) return
      if (price.innerHTML !== answered.price) price.innerHTML = answered.price
      for (const [language, text] of Object.entries(answered.examples)) document.getElementById(`example-${language}`).textContent = text
      showIssues(answered.issues, false)
    } catch {
      if (!signal.aborted) price.textContent = 'The price can’t be had just now.'
    } finally {
      if (!signal.aborted) price.removeAttribute('aria-busy')
    }
  }

  function changed() {
    clearTimeout(timer)
    timer = setTimeout(estimate, quietMs)
  }

  function count() {
    const prompt = document.getElementById('field-prompt')
    const shown = root.querySelector('[data-count]')
    if (!prompt || !shown) return
    const length = [...prompt.value.trim()].length
    const most = Number(prompt.dataset.most)
    shown.textContent = `${length.toLocaleString('en-US')} / ${most.toLocaleString('en-US')}`
    shown.classList.toggle('bad', length > most)
  }

  /** Another model or mode: what was written stays where the new form has the same field and takes the value. The last choice counts, whichever answer comes last. */
  async function show(url, focus) {
    showing?.abort()
    showing = new AbortController()
    const { signal } = showing
    root.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(url, { headers: { accept: 'text/html' }, signal })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('playground')
      if (signal.aborted) return
      if (!answer.ok || !page) return location.assign(url)
      const kept = [...new FormData(form())].filter(([name]) => !['form', 'model', 'mode'].includes(name))
      root.replaceChildren(...page.childNodes)
      for (const [name, value] of kept) fill(name, value)
      history.replaceState(null, '', url)
      root.dispatchEvent(new Event('filmgate:changed', { bubbles: true }))
      root.querySelector(focus)?.focus()
      count()
      estimate()
    } catch {
      if (!signal.aborted) location.assign(url)
    } finally {
      if (!signal.aborted) root.removeAttribute('aria-busy')
    }
  }

  /** A mode of the model that is chosen, whose form may still be on its way. */
  function modeOf(link) {
    const url = new URL(link.href)
    url.searchParams.set('model', document.getElementById('model').value)
    return url.href
  }

  function fill(name, value) {
    const field = form().elements.namedItem(name)
    if (!field || field instanceof RadioNodeList || field.disabled) return
    if (field.type === 'checkbox') field.checked = true
    else if (field.tagName !== 'SELECT' || [...field.options].some(option => option.value === value)) {
      const was = field.value
      field.value = value
      if (!field.checkValidity()) field.value = was
    }
  }

  async function send() {
    const button = form().querySelector('button.make')
    const status = document.getElementById('sending')
    const since = Date.now()
    const tell = () => {
      const seconds = Math.round((Date.now() - since) / 1_000)
      const [words] = [
        [240, 'Nearly there, or about to give up.'],
        [12, 'Still being checked. Files take longest; this takes four minutes at most.'],
        [2, 'The request is checked and handed to a provider…'],
        [0, 'Sending…'],
      ]
        .find(([from]) => seconds >= from)
        .slice(1)
      if (status.dataset.words !== words) status.textContent = status.dataset.words = words
    }
    const ticking = setInterval(tell, 500)
    tell()
    button.disabled = true
    root.querySelector('.refusal')?.remove()
    try {
      const { status: code, answered } = await post(form().action)
      if (answered.path) return location.assign(answered.path)
      if (code === 401) return location.reload()
      if (answered.form) form().elements.form.value = answered.form
      showIssues(answered.issues ?? {}, true)
      refuse(answered.error?.message, answered.notice)
    } catch {
      refuse('The answer did not arrive. Press again: the same request makes no second video.')
    } finally {
      clearInterval(ticking)
      status.textContent = status.dataset.words = ''
      button.disabled = false
      // A button that is disabled loses the focus.
      if (document.activeElement === document.body) button.focus()
    }
  }

  /** `markup` is the console's own, with what others wrote escaped. */
  function refuse(words, markup) {
    const notice = document.createElement('p')
    notice.className = 'notice wrong refusal'
    notice.setAttribute('role', 'alert')
    if (markup) notice.innerHTML = markup
    else notice.textContent = words
    document.getElementById('sending').before(notice)
    const wrong = form().querySelector('[aria-invalid="true"]')
    if (wrong?.checkVisibility()) wrong.focus()
  }

  root.addEventListener('input', event => {
    if (event.target.form === form() && event.target.name) changed()
    if (event.target.id === 'field-prompt') count()
  })
  root.addEventListener('change', event => {
    if (event.target.id === 'model') show(`${event.target.form.action}?model=${encodeURIComponent(event.target.value)}`, '#model')
    else if (event.target.form === form() && event.target.name) changed()
  })
  root.addEventListener('click', event => {
    const link = event.target.closest('.modes a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    show(modeOf(link), '.modes a[aria-current]')
  })
  root.addEventListener('submit', event => {
    if (event.target !== form()) return
    event.preventDefault()
    // What is chosen and what would be sent are not the same yet.
    if (root.hasAttribute('aria-busy'))
      document.getElementById('sending').textContent = 'The form of your choice is on its way. Press again.'
    else send()
  })
  root.classList.add('live')
  count()
}
