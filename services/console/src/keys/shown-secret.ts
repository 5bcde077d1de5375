import { type Html, html } from '@filmgate/kit/http/html'

/** What a page that shows a secret needs: Reload leads away from it, and Back shows nothing. */
export const secretScript = 'secret.browser.js'

/** The one time that a secret is shown; `leavesFor`: what Reload leads to. */
export const shownSecret = (secret: string, leavesFor: string): Html =>
  html`<p class="secret" data-leaves-for="${leavesFor}"><code id="secret" tabindex="0" aria-label="The secret of the key">${secret}</code> <button class="second" data-copy="secret" hidden>Copy</button></p>`
