// The page that shows a secret once: Reload leads to the list of keys, and Back shows nothing.
const secret = document.querySelector('.secret')
history.replaceState(null, '', secret.dataset.reloadPath)
addEventListener('pagehide', () => secret.remove())
