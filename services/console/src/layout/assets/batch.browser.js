// Reads a file of prompts, and asks for the videos of a checked batch one after another. Every row has a form id of its
// own, so that asking again, also after a reload, makes no second video.
{
  /** The console reads no larger form. */
  const formBytesMax = 65_536
  const text = document.getElementById('text')
  const file = document.getElementById('file')
  const choose = document.getElementById('choose-file')
  choose.hidden = false
  choose.onclick = () => file.click()
  file.onchange = async () => {
    text.value = await file.files[0].text()
    file.value = ''
    text.focus()
  }
  text.form.addEventListener('submit', event => {
    // A form sends a line break as two characters.
    const fields = [...new FormData(text.form)].map(([name, value]) => [name, value.replaceAll(/\r?\n/g, '\r\n')])
    const isTooLong = new URLSearchParams(fields).toString().length > formBytesMax
    document.getElementById('entry-issue').textContent = isTooLong ? 'The list is too long to be sent at once. Split it.' : ''
    if (isTooLong) event.preventDefault()
  })

  const batch = document.getElementById('batch')
  const make = document.getElementById('make')
  if (make) {
    const stop = document.getElementById('stop')
    const budget = document.getElementById('budget')
    const progress = document.getElementById('progress')
    const rows = [...document.querySelectorAll('[data-row]')]
    /** Of a row that nothing says what became of. */
    const retriesMax = 5
    const retryMs = 10_000
    /** What this tab has asked for in this batch, also of rows that were taken off the list since. */
    const kept = `batch ${batch.dataset.batch}`
    const { limit, taken } = { taken: {}, ...JSON.parse(sessionStorage.getItem(kept) ?? '{}') }
    let stopped = true
    let refused = 0
    let wake

    const spent = () => Object.values(taken).reduce((sum, { credits }) => sum + credits, 0)
    const keep = () => sessionStorage.setItem(kept, JSON.stringify({ limit: budget.value, taken }))
    const sleep = ms =>
      new Promise(resolve => {
        wake = resolve
        setTimeout(resolve, ms)
      })

    function show(row, message, isBad = false) {
      row.className = isBad ? 'bad' : ''
      row.textContent = message
    }

    function showTaken(row) {
      const { path, failed } = taken[row.dataset.row]
      row.className = ''
      row.replaceChildren(Object.assign(document.createElement('a'), { href: path, textContent: failed ? 'Failed' : 'Asked for' }))
      row.dataset.done = 'yes'
    }

    function showProgress(reason = '') {
      const made = rows.filter(({ dataset }) => taken[dataset.row]).length
      const counts = [
        `${made} of ${rows.length} asked for`,
        refused > 0 && `${refused} refused`,
        `${spent().toLocaleString('en-US')} credits`,
      ]
      progress.textContent = `${counts.filter(Boolean).join(', ')}. ${reason}`
    }

    async function post(row) {
      // The same for each try: another body under the same id would be refused.
      const body = new URLSearchParams(row.dataset.fields)
      body.set('form', row.dataset.row)
      const answer = await fetch(batch.dataset.make, { method: 'POST', body, headers: { accept: 'application/json' } })
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ...(await answer.json()) }
    }

    /** The message of an error. A notice is markup of the console's own. */
    function messageOf({ issues = {}, notice, error }) {
      const [issue] = Object.values(issues)
      if (issue || !notice) return issue ?? error?.message ?? 'There is no answer.'
      return new DOMParser().parseFromString(markupPolicy.createHTML(notice), 'text/html').body.textContent
    }

    /** Sends a row until it is taken or refused. Returns why the batch is to stop, if it is. */
    async function makeRow(row) {
      for (let tries = 0; ; ) {
        show(row, 'Sending…')
        const answer = await post(row).catch(() => ({ status: 0 }))
        if (answer.path) {
          taken[row.dataset.row] = answer
          keep()
          return showTaken(row)
        }
        if (answer.status === 401) {
          show(row, 'Ready')
          return 'You are signed out. Sign in in another tab, then press Go on here.'
        }
        const early = answer.status === 429
        if (!early && answer.status >= 400 && answer.status < 500) {
          show(row, messageOf(answer), true)
          if (answer.status === 402) return 'The credits don’t suffice.'
          row.dataset.done = 'yes'
          refused += 1
          return
        }
        // Where as many run as may, waiting ends by itself or by the person.
        if (!early && ++tries > retriesMax) {
          show(row, messageOf(answer), true)
          return 'Go on later: nothing is made twice.'
        }
        show(row, early ? 'Waiting until others are done…' : 'Sending again…')
        if (!stopped) await sleep((answer.retryAfter || 0) * 1_000 || retryMs)
        if (stopped) return show(row, 'Ready')
      }
    }

    async function makeAll() {
      stopped = false
      make.disabled = true
      stop.hidden = false
      stop.focus()
      keep()
      let reason
      for (const row of rows.filter(({ dataset }) => !dataset.done)) {
        if (spent() + Number(row.dataset.credits) > Number(budget.value)) reason = 'The next video would spend more than you allow.'
        if (reason || stopped) break
        showProgress()
        reason = await makeRow(row)
      }
      end(reason)
    }

    function end(reason) {
      const ended = rows.every(({ dataset }) => dataset.done)
      showProgress(reason ?? (ended ? 'All rows are done.' : 'Stopped.'))
      stopped = true
      make.disabled = ended
      make.textContent = 'Go on'
      const hadFocus = document.activeElement === stop || document.activeElement === document.body
      stop.hidden = true
      if (hadFocus) (ended ? text : make).focus()
    }

    make.onclick = makeAll
    stop.onclick = () => {
      stopped = true
      wake?.()
    }
    budget.onchange = keep
    addEventListener('beforeunload', event => {
      if (!stopped) event.preventDefault()
    })
    if (limit) budget.value = limit
    for (const row of rows) if (taken[row.dataset.row]) showTaken(row)
    if (Object.keys(taken).length > 0) end('It goes on when you press the button.')
  }
}
