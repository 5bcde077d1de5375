// Polls running tasks until they end: one request for a whole gallery, rarely while nothing changes, and not while the
// page is hidden.
{
  const soonMs = 2_000
  const lateMs = 15_000
  const statusText = { completed: 'is done', failed: 'has failed' }
  const announce = text => {
    document.getElementById('announcement').textContent = text
  }
  const changed = element => element.dispatchEvent(new Event('filmgate:changed', { bubbles: true }))
  const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
  const seen = () =>
    document.hidden ? new Promise(resolve => document.addEventListener('visibilitychange', resolve, { once: true })) : undefined

  async function ask(url) {
    try {
      const answer = await fetch(url, { headers: { accept: 'application/json' } })
      if (answer.ok) return await answer.json()
      return answer.status < 500 && answer.status !== 429 ? { isOver: true } : undefined
    } catch {
      return undefined
    }
  }

  async function followGallery(gallery) {
    const running = () => [...gallery.querySelectorAll('[data-status="processing"]')]
    const shown = new Map()
    let waitMs = soonMs
    while (running().length > 0) {
      await sleep(waitMs)
      await seen()
      const answer = await ask(`${gallery.dataset.tasks}?ids=${running().map(card => card.dataset.task)}`)
      if (answer?.isOver) return
      waitMs = Math.min(waitMs * 1.4, lateMs)
      for (const { id, status, card } of answer?.tasks ?? []) {
        if (shown.get(id) === card) continue
        if (shown.has(id) || status !== 'processing') waitMs = soonMs
        shown.set(id, card)
        replaceCard(gallery, id, status, card)
      }
    }
  }

  function replaceCard(gallery, id, status, card) {
    const old = gallery.querySelector(`[data-task="${id}"]`)
    const hadFocus = old.contains(document.activeElement)
    old.outerHTML = markupPolicy.createHTML(card)
    const fresh = gallery.querySelector(`[data-task="${id}"]`)
    if (hadFocus) fresh.querySelector('a').focus()
    changed(fresh)
    if (statusText[status]) announce(`${fresh.querySelector('.title').textContent} ${statusText[status]}.`)
  }

  /**
   * The gateway holds the response until the task changes. With too many open pages it answers at once, and the page
   * polls rarely.
   */
  async function followTask(root) {
    const isRunning = () => root.querySelector('[data-status="processing"]') !== null
    let waitMs = 0
    let shown
    while (isRunning()) {
      await sleep(waitMs)
      await seen()
      const answer = await ask(root.dataset.liveTask)
      if (answer?.isOver) return
      if (answer) waitMs = answer.held === false ? lateMs : 500
      else waitMs = Math.min(Math.max(waitMs * 2, soonMs), lateMs)
      // Compared with what was answered before: scripts change the markup, times among it.
      if (!answer || shown === answer.content) continue
      shown = answer.content
      const focused = root.contains(document.activeElement) ? document.activeElement.textContent : undefined
      root.innerHTML = markupPolicy.createHTML(answer.content)
      if (focused !== undefined) [...root.querySelectorAll('a')].find(link => link.textContent === focused)?.focus()
      changed(root)
      if (statusText[answer.status]) announce(`The video ${statusText[answer.status]}.`)
    }
  }

  for (const gallery of document.querySelectorAll('[data-tasks]')) followGallery(gallery)
  for (const task of document.querySelectorAll('[data-live-task]')) followTask(task)
}
