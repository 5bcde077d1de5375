// The WebAuthn ceremony: gets a challenge from the console, asks the device, and posts the response.
const fromBase64 = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))
const toBase64 = bytes =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const result = await answer.json()
  if (!answer.ok) throw new Error(result.error?.message ?? 'The request failed.')
  return result
}

const listed = (credentials = []) => credentials.map(each => ({ ...each, id: fromBase64(each.id) }))

const answerOf = ({ id, rawId, type, authenticatorAttachment, response }) => ({
  id,
  rawId: toBase64(rawId),
  type,
  authenticatorAttachment,
  clientExtensionResults: {},
  response: {
    clientDataJSON: toBase64(response.clientDataJSON),
    ...(response.attestationObject && {
      attestationObject: toBase64(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    }),
    ...(response.signature && {
      authenticatorData: toBase64(response.authenticatorData),
      signature: toBase64(response.signature),
      userHandle: response.userHandle ? toBase64(response.userHandle) : undefined,
    }),
  },
})

async function signIn(button) {
  const options = await post('/sign-in/passkey/options')
  const publicKey = { ...options, challenge: fromBase64(options.challenge), allowCredentials: listed(options.allowCredentials) }
  const credential = await navigator.credentials.get({ publicKey })
  await post('/sign-in/passkey', { response: answerOf(credential) })
  location.assign(button.dataset.next || '/')
}

async function confirmIt(button) {
  const options = await post('/sign-in/passkey/options')
  const publicKey = { ...options, challenge: fromBase64(options.challenge), allowCredentials: listed(options.allowCredentials) }
  const credential = await navigator.credentials.get({ publicKey })
  await post('/security/confirm/passkey', { response: answerOf(credential) })
  location.assign(button.dataset.next || '/security')
}

async function add() {
  const options = await post('/security/passkeys/options')
  const publicKey = {
    ...options,
    challenge: fromBase64(options.challenge),
    user: { ...options.user, id: fromBase64(options.user.id) },
    excludeCredentials: listed(options.excludeCredentials),
  }
  const credential = await navigator.credentials.create({ publicKey })
  const name = document.getElementById('passkey-name')?.value.trim()
  await post('/security/passkeys', { response: answerOf(credential), ...(name && { name }) })
  location.assign('/security?done=passkey_added')
}

const actions = { 'sign-in': signIn, confirm: confirmIt, add }
const issue = document.getElementById('passkey-issue')

if (window.PublicKeyCredential) {
  for (const button of document.querySelectorAll('button[data-passkey]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      button.disabled = true
      issue.hidden = true
      try {
        await actions[button.dataset.passkey](button)
      } catch (error) {
        issue.textContent = error.name === 'NotAllowedError' ? 'No passkey was used. Try again, or continue without one.' : error.message
        issue.hidden = false
        button.disabled = false
      }
    })
  }
}
