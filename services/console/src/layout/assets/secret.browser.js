// The page that shows a secret once: Reload leads to the list of keys, and Back shows nothing.
const shown = document.querySelector('.secret')
history.replaceState(null, '', shown.dataset.leavesFor)
addEventListener('pagehide', () => shown.remove())
