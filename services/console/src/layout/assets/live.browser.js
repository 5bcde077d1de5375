// Polls parts of a page while it is visible: often while something runs, rarely otherwise.
const busyMs = 3_000
const idleMs = 20_000

for (const part of document.querySelectorAll('[data-live]')) {
  let shown = ''
  const again = () => setTimeout(refresh, part.querySelector('[data-running="0"]') ? idleMs : busyMs)

  async function refresh() {
    if (document.hidden) return document.addEventListener('visibilitychange', refresh, { once: true })
    try {
      const answer = await fetch(part.dataset.live, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(10_000) })
      // Signed out or no longer a member: keep the content and stop polling.
      if (answer.status >= 400 && answer.status < 500) return
      const text = answer.status === 200 ? await answer.text() : ''
      // The account has been opened: reload the whole page.
      if (text !== '' && part.dataset.opening !== undefined) return location.reload()
      // Don't replace content that has the keyboard focus.
      if (text !== '' && text !== shown && !part.contains(document.activeElement)) {
        part.innerHTML = markupPolicy.createHTML(text)
        shown = text
        part.dispatchEvent(new Event('filmgate:changed', { bubbles: true }))
      }
    } catch {
      // Network error: try again later.
    }
    again()
  }
  again()
}
