// The page that shows a secret once: Reload leads to the list of keys, and Back shows nothing.
const secrets = document.querySelectorAll('[data-secret]')
history.replaceState(null, '', document.querySelector('[data-reload-path]').dataset.reloadPath)
addEventListener('pagehide', () => {
  for (const secret of secrets) secret.remove()
})
