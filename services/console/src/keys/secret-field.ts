import { type Html, html } from '@filmgate/kit/http/html'

/** The script of a page with a secret: Reload navigates away, and Back shows nothing. */
export const secretScript = 'secret.browser.js'

/** Shows a secret once. `reloadPath`: where Reload leads. */
export const secretField = (secret: string, reloadPath: string): Html =>
  html`<p class="secret" data-secret data-reload-path="${reloadPath}"><code id="secret" tabindex="0" aria-label="The secret of the key">${secret}</code> <button class="second" data-copy="secret" hidden>Copy</button></p>`
