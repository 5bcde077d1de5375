// Runs beside page.browser.js: its names are its own.
{
  // The console of the reference page. The key stays in this tab's memory: it is sent to this host and kept nowhere.
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
    element('body-part').hidden = chosen.method !== 'POST'
  }

  function showExample() {
    body.value = JSON.stringify(examples[example.value], null, 2)
  }

  function tell(text, kind) {
    status.textContent = text
    status.dataset.kind = kind
  }

  async function ask() {
    const { method, idempotent } = operations[operation.value]
    const headers = { authorization: `Bearer ${key.value.trim()}` }
    if (method === 'POST') headers['content-type'] = 'application/json'
    if (idempotent) headers['idempotency-key'] = crypto.randomUUID()
    send.disabled = true
    tell(idempotent ? 'Sent. The first answer can take a while…' : 'Sent…', '')
    const started = performance.now()
    try {
      const response = await fetch(path.value, { method, headers, ...(method === 'POST' && { body: body.value }) })
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

  for (const button of document.querySelectorAll('[data-example]')) {
    button.addEventListener('click', () => {
      example.value = button.dataset.example
      operation.value = 'estimateVideo'
      showOperation()
      showExample()
      element('try-it').scrollIntoView()
      element('key').focus({ preventScroll: true })
    })
  }
  /** The console hands a key over behind the #, which no server is sent; it doesn't stay in the address. */
  function takeLentKey() {
    const lent = /^#key=(sk_live_[A-Za-z0-9]+)$/.exec(location.hash)?.[1]
    if (!lent) return
    history.replaceState(null, '', '#try-it')
    key.value = lent
    tell('A key of your account is filled in; it ends within the hour.', 'good')
    element('try-it').scrollIntoView()
  }

  operation.addEventListener('change', showOperation)
  example.addEventListener('change', showExample)
  element('form').addEventListener('submit', event => {
    event.preventDefault()
    void ask()
  })
  showOperation()
  showExample()
  takeLentKey()
}
