// Parts of a page that are asked for again while somebody looks at them: often while something runs, seldom otherwise.
const busyMs = 3_000
const idleMs = 20_000

for (const part of document.querySelectorAll('[data-live]')) {
  let shown = ''
  const again = () => setTimeout(refresh, part.querySelector('[data-running="0"]') ? idleMs : busyMs)

  async function refresh() {
    if (document.hidden) return document.addEventListener('visibilitychange', refresh, { once: true })
    try {
      const answer = await fetch(part.dataset.live, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(10_000) })
      // Signed out, or no member any more: what is shown stays, and nothing is asked again.
      if (answer.status >= 400 && answer.status < 500) return
      const text = answer.status === 200 ? await answer.text() : ''
      // What was not there when the page was asked for is more than this part of it.
      if (text !== '' && part.dataset.opening !== undefined) return location.reload()
      // Who is at a link in it keeps their place.
      if (text !== '' && text !== shown && !part.contains(document.activeElement)) {
        part.innerHTML = text
        shown = text
        part.dispatchEvent(new Event('filmgate:changed', { bubbles: true }))
      }
    } catch {
      // Not reached just now: it is asked again.
    }
    again()
  }
  again()
}
