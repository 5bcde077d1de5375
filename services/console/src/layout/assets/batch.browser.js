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
    const isTooLong = new URLSearchParams(new FormData(text.form)).toString().length > formBytesMax
    document.getElementById('entry-issue').textContent = isTooLong ? 'The list is too long to be sent at once. Split it.' : ''
    if (isTooLong) event.preventDefault()
  })

  const batch = document.getElementById('batch')
  const make = document.getElementById('make')
  const stop = document.getElementById('stop')
  const progress = document.getElementById('progress')
  const rows = [...document.querySelectorAll('[data-row]')]
  /** Of a row whose outcome is unknown, or that came too early. */
  const retriesMax = 5
  const retryMs = 10_000
  let stopped = true
  let wake
  let spent = 0
  let made = 0

  const sleep = ms =>
    new Promise(resolve => {
      wake = resolve
      setTimeout(resolve, ms)
    })

  function show(row, message, { path, bad = false } = {}) {
    row.className = bad ? 'bad' : ''
    row.textContent = message
    if (path) row.replaceChildren(Object.assign(document.createElement('a'), { href: path, textContent: message }))
  }

  async function post(row) {
    // The same for each try: another body under the same id would be refused.
    const body = new URLSearchParams(row.dataset.fields)
    body.set('form', row.dataset.row)
    const answer = await fetch(batch.dataset.make, { method: 'POST', body, headers: { accept: 'application/json' } })
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ...(await answer.json()) }
  }

  /** Sends a row until it is taken or refused. Returns what to stop the batch for, if it is to stop. */
  async function makeRow(row) {
    for (let tries = 0; ; ) {
      show(row, 'Sending…')
      const answer = await post(row).catch(() => ({ status: 0 }))
      if (answer.path) {
        show(row, 'Asked for', { path: answer.path })
        row.dataset.done = 'yes'
        made += 1
        spent += answer.credits
        return undefined
      }
      if (answer.status === 401) return 'You are signed out. Sign in, then go on.'
      const early = answer.status === 429
      if (!early && answer.status >= 400 && answer.status < 500) {
        const message = Object.values(answer.issues ?? {})[0] ?? plain(answer)
        show(row, message, { bad: true })
        if (answer.status === 402) return 'The credits don’t suffice.'
        row.dataset.done = 'yes'
        return undefined
      }
      // As many videos run as may: there is no end to that waiting but the person's.
      if (!early && ++tries > retriesMax) {
        show(row, 'No answer', { bad: true })
        return 'There is no answer. Go on later: nothing is made twice.'
      }
      show(row, early ? 'Waiting until others are done…' : 'Sending again…')
      await sleep((answer.retryAfter || 0) * 1_000 || retryMs)
      if (stopped) {
        show(row, 'Ready')
        return undefined
      }
    }
  }

  /** The message of an error, which is markup of the console's own. */
  const plain = ({ notice, error }) =>
    notice ? new DOMParser().parseFromString(markupPolicy.createHTML(notice), 'text/html').body.textContent : (error?.message ?? 'Refused')

  async function makeAll() {
    stopped = false
    make.disabled = true
    stop.hidden = false
    let reason
    for (const row of rows) {
      if (row.dataset.done) continue
      const left = Number(document.getElementById('budget').value) - spent
      if (Number(row.dataset.credits) > left) reason = 'The next video would spend more than you allow.'
      if (reason || stopped) break
      progress.textContent = `${made} of ${rows.length} asked for, ${spent.toLocaleString('en-US')} credits.`
      reason = await makeRow(row)
    }
    const ended = rows.every(row => row.dataset.done)
    progress.textContent = `${made} of ${rows.length} asked for, ${spent.toLocaleString('en-US')} credits. ${reason ?? (ended ? 'All rows are done.' : 'Stopped.')}`
    stopped = true
    stop.hidden = true
    make.disabled = ended
    make.textContent = 'Go on'
  }

  if (make) {
    make.onclick = makeAll
    stop.onclick = () => {
      stopped = true
      wake?.()
    }
    addEventListener('beforeunload', event => {
      if (!stopped) event.preventDefault()
    })
  }
}
