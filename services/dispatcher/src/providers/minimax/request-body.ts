import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

/** H3's models take a body of another form than Hailuo's, and are asked about elsewhere. */
export const isH3 = (providerModel: string): boolean => providerModel.startsWith('MiniMax-H3')

/** The roles of media in H3's `content`, each with the type of its entries. */
const types = {
  first_frame: 'image_url',
  last_frame: 'image_url',
  reference_image: 'image_url',
  reference_video: 'video_url',
  reference_audio: 'audio_url',
} as const

/**
 * A submission in MiniMax's words: flat for Hailuo (platform.minimax.io/docs/api-reference/video-generation-t2v, -i2v, -fl2v). H3 has prompt
 * and media as entries of one list (video-generation-v2-create); a route to it names the roles as its fields.
 */
export function requestBody({ providerModel, order, mapping, media, callbackUrl }: Submission): Record<string, unknown> {
  const fields = { model: providerModel, ...requestFields(mapping, order, media), ...(callbackUrl && { callback_url: callbackUrl }) }
  return isH3(providerModel) ? withContent(fields) : fields
}

function withContent({ text, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const handed = Object.entries(types).flatMap(([role, type]) => [fields[role] ?? []].flat().map(url => ({ type, [type]: { url }, role })))
  const rest = Object.entries(fields).filter(([name]) => !Object.hasOwn(types, name))
  return { ...Object.fromEntries(rest), content: [{ type: 'text', text }, ...handed] }
}
