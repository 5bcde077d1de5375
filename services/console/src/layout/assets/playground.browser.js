// The interactive playground: switches models without a new page, updates price and example code while typing, and
// shows progress while a request is checked.
{
  const root = document.getElementById('playground')
  const quietMs = 350
  let estimateRequest
  let pageRequest
  let timer
  /** Of this account and these pages alone: another tab has its own, and closing the tab forgets it. */
  const promptName = `prompt ${location.pathname}`

  const form = () => document.getElementById('request')
  const fieldsOf = () => new URLSearchParams([...new FormData(form())].map(([name, value]) => [name, String(value)]))

  async function post(url, signal) {
    const answer = await fetch(url, { method: 'POST', body: fieldsOf(), headers: { accept: 'application/json' }, signal })
    return { status: answer.status, result: await answer.json() }
  }

  function showIssues(issues, all) {
    for (const issue of form().querySelectorAll('.issue[id]')) {
      const name = issue.id.slice('field-'.length, -'-issue'.length)
      const field = document.getElementById(`field-${name}`)
      const message = all || (field.value !== '' && field.type !== 'checkbox') ? issues[name] : undefined
      issue.textContent = message ?? ''
      issue.hidden = message === undefined
      if (message === undefined) field.removeAttribute('aria-invalid')
      else {
        field.setAttribute('aria-invalid', 'true')
        const folded = field.closest('details')
        if (folded) folded.open = true
      }
    }
  }

  async function estimate() {
    estimateRequest?.abort()
    estimateRequest = new AbortController()
    const { signal } = estimateRequest
    const price = document.getElementById('price')
    price.setAttribute('aria-busy', 'true')
    try {
      const { status, result } = await post(form().dataset.estimate, signal)
      if (status === 401) return location.reload()
      if (status !== 200) return
      if (price.innerHTML !== result.price) price.innerHTML = markupPolicy.createHTML(result.price)
      for (const [language, text] of Object.entries(result.examples)) document.getElementById(`example-${language}`).textContent = text
      showIssues(result.issues, false)
    } catch {
      if (!signal.aborted) price.textContent = 'The price is not available at the moment.'
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

  /**
   * Switches to another model or mode. Values are kept if the new form has the field and accepts the value. A later
   * switch aborts an earlier one.
   */
  async function show(url, focus) {
    pageRequest?.abort()
    pageRequest = new AbortController()
    const { signal } = pageRequest
    root.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(url, { headers: { accept: 'text/html' }, signal })
      const page = new DOMParser().parseFromString(markupPolicy.createHTML(await answer.text()), 'text/html').getElementById('playground')
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

  /** The URL of a mode of the chosen model, whose form may still be loading. A comparison has no such choice. */
  function modeOf(link) {
    const url = new URL(link.href)
    const choice = document.getElementById('model')
    if (choice) url.searchParams.set('model', choice.value)
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

  /** The prompt survives a reload and other pages of this tab, until its video is asked for. */
  function keepPrompt() {
    const prompt = document.getElementById('field-prompt')
    if (prompt) sessionStorage.setItem(promptName, prompt.value)
  }

  function restorePrompt() {
    const prompt = document.getElementById('field-prompt')
    const kept = sessionStorage.getItem(promptName)
    if (prompt?.value !== '' || prompt.matches(':disabled') || !kept) return
    prompt.value = kept
    changed()
  }

  function usePrompt(text) {
    const prompt = document.getElementById('field-prompt')
    prompt.value = text
    prompt.dispatchEvent(new Event('input', { bubbles: true }))
    prompt.focus()
  }

  async function send() {
    const button = form().querySelector('button.make')
    const status = document.getElementById('sending')
    const since = Date.now()
    const showProgress = () => {
      const seconds = Math.round((Date.now() - since) / 1_000)
      const [message] = [
        [240, 'Almost done. The request times out in a few seconds.'],
        [12, 'Still checking. Large files take longest, up to four minutes.'],
        [2, 'Checking the request and sending it to a provider…'],
        [0, 'Sending…'],
      ]
        .find(([from]) => seconds >= from)
        .slice(1)
      if (status.dataset.message !== message) status.textContent = status.dataset.message = message
    }
    const ticking = setInterval(showProgress, 500)
    showProgress()
    button.disabled = true
    root.querySelector('.refusal')?.remove()
    try {
      const { status: code, result } = await post(form().action)
      if (result.path) {
        sessionStorage.removeItem(promptName)
        return location.assign(result.path)
      }
      if (code === 401) return location.reload()
      if (result.form) form().elements.form.value = result.form
      showIssues(result.issues ?? {}, true)
      showError(result.error?.message, result.notice)
    } catch {
      showError('The response did not arrive. Press again: the same request never creates a second video.')
    } finally {
      clearInterval(ticking)
      status.textContent = status.dataset.message = ''
      button.disabled = false
      // A disabled button loses the focus.
      if (document.activeElement === document.body) button.focus()
    }
  }

  /** `markup` is the console's own HTML, with user content escaped. */
  function showError(message, markup) {
    const notice = document.createElement('p')
    notice.className = 'notice wrong refusal'
    notice.setAttribute('role', 'alert')
    if (markup) notice.innerHTML = markupPolicy.createHTML(markup)
    else notice.textContent = message
    document.getElementById('sending').before(notice)
    const wrong = form().querySelector('[aria-invalid="true"]')
    if (wrong?.checkVisibility()) wrong.focus()
  }

  root.addEventListener('input', event => {
    if (event.target.form === form() && event.target.name) changed()
    if (event.target.id !== 'field-prompt') return
    count()
    keepPrompt()
  })
  root.addEventListener('change', event => {
    if (event.target.id === 'model') show(`${event.target.form.action}?model=${encodeURIComponent(event.target.value)}`, '#model')
    else if (event.target.form === form() && event.target.name) changed()
  })
  root.addEventListener('click', event => {
    const link = event.target.closest('.modes a, .prompts a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (link.closest('.prompts')) usePrompt(link.textContent)
    else show(modeOf(link), '.modes a[aria-current]')
  })
  root.addEventListener('submit', event => {
    if (event.target !== form()) return
    event.preventDefault()
    // The form of the chosen model is still loading.
    if (root.hasAttribute('aria-busy')) document.getElementById('sending').textContent = 'The form is still loading. Press again.'
    else send()
  })
  root.classList.add('live')
  restorePrompt()
  count()
}
