// Runs behind page.browser.js: its names are its own.
{
  // The form of the reference. The key stays in this tab's memory: it is sent to this host and kept nowhere.
  const { operations, examples } = JSON.parse(document.getElementById('data').textContent)
  const element = id => document.getElementById(id)
  const key = element('key')
  const operation = element('operation')
  const example = element('example')
  const path = element('path')
  const body = element('body')
  const status = element('status')
  const answer = element('answer')
  const send = element('send')

  function showOperation() {
    const chosen = operations[operation.value]
    path.value = chosen.path
    element('body-part').hidden = !chosen.hasBody
  }

  function showExample() {
    body.value = JSON.stringify(examples[example.value], null, 2)
  }

  function tell(text, kind) {
    status.textContent = text
    status.dataset.kind = kind
  }

  async function ask() {
    const { method, idempotent, hasBody } = operations[operation.value]
    const headers = { authorization: `Bearer ${key.value.trim()}` }
    if (hasBody) headers['content-type'] = 'application/json'
    if (idempotent) headers['idempotency-key'] = crypto.randomUUID()
    send.disabled = true
    tell(idempotent ? 'Sent. The first answer can take a while…' : 'Sent…', '')
    const started = performance.now()
    try {
      const response = await fetch(path.value, { method, headers, ...(hasBody && { body: body.value }) })
      const text = await response.text()
      tell(`${response.status} ${response.statusText} in ${Math.round(performance.now() - started)} ms`, response.ok ? 'good' : 'bad')
      show(response, text)
    } catch (error) {
      tell(`No answer: ${error.message}`, 'bad')
    } finally {
      send.disabled = false
    }
  }

  function show(response, text) {
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
    const value = isJson ? JSON.parse(text) : undefined
    answer.textContent = isJson ? JSON.stringify(value, null, 2) : text
    if (value?.id?.startsWith('vt_')) offerTask(value)
  }

  /** After a generation the next thing to ask for is its task. */
  function offerTask(task) {
    operation.value = 'getVideoGeneration'
    showOperation()
    path.value = path.value.replace('{id}', task.id)
    const video = element('video')
    video.hidden = task.output === null
    if (task.output !== null) video.src = task.output.video_url
  }

  /** What the link here asked for: a route, or the example of a model and mode. */
  function takeChoice() {
    const chosen = new URLSearchParams(location.search)
    if (Object.hasOwn(operations, chosen.get('operation') ?? '')) operation.value = chosen.get('operation')
    if (Object.hasOwn(examples, chosen.get('example') ?? '')) example.value = chosen.get('example')
  }

  const lendingName = 'filmgate:lending'

  /** Says to the console, and remembers in this tab, by what the key that comes back is known. */
  function askForKey({ currentTarget: link }) {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const state = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
    sessionStorage.setItem(lendingName, state)
    link.search = `?state=${state}`
  }

  /**
   * The console hands a key over behind the #, which no server is sent; it doesn't stay in the address. Any site may link here with a key of its
   * own, and would then own what is asked for with it: only a key that this tab has asked for is taken.
   */
  function takeLentKey() {
    if (!location.hash.startsWith('#key=')) return
    const [, lent, state] = /^#key=(sk_live_[A-Za-z0-9]+)&state=([0-9a-z-]+)$/.exec(location.hash) ?? []
    const isAskedFor = lent !== undefined && state === sessionStorage.getItem(lendingName)
    history.replaceState(null, '', location.pathname)
    if (!isAskedFor) return tell('The key of this address is not used: this tab did not ask for it. Use the link above.', 'bad')
    sessionStorage.removeItem(lendingName)
    key.value = lent
    tell('A key of your account is filled in; it ends within the hour.', 'good')
  }

  operation.addEventListener('change', showOperation)
  example.addEventListener('change', showExample)
  element('form').addEventListener('submit', event => {
    event.preventDefault()
    void ask()
  })
  element('use-account')?.addEventListener('click', askForKey)
  takeChoice()
  showOperation()
  showExample()
  takeLentKey()
}
