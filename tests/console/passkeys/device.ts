import type { Tab } from '../../support/browser/tab'

type Credential = { credentialId: string; rpId?: string; isResidentCredential: boolean; signCount: number }

export type Device = Awaited<ReturnType<typeof addDevice>>

/** A device with a lock of its own, as the browser sees it: keys are made and used in it, and never leave it (DevTools' WebAuthn domain). */
export async function addDevice({ send }: Tab) {
  await send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await send<{ authenticatorId: string }>('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    keys: async () => (await send<{ credentials: Credential[] }>('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Whether whoever holds it unlocks it. */
    unlocks: (isUserVerified: boolean) => send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}
