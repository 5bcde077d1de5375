// Polls the state of a purchase with growing intervals until it ends.
const box = document.getElementById('purchase')
const path = box?.dataset.state
let waitMs = 1_000
const waitMsMax = 15_000

async function poll() {
  try {
    const answer = await fetch(path, { headers: { accept: 'application/json' } })
    if (answer.ok) {
      const { title, text, ended } = await answer.json()
      for (const [part, value] of Object.entries({ title, text })) {
        const element = box.querySelector(`[data-part="${part}"]`)
        if (element.textContent !== value) element.textContent = value
      }
      if (ended) return
    } else if (answer.status < 500) return
  } catch {
    // Network error: the next poll may succeed.
  }
  waitMs = Math.min(waitMsMax, waitMs * 1.3)
  setTimeout(poll, waitMs)
}
if (path) setTimeout(poll, waitMs)
