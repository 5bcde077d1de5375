import { settings } from '../settings'

/** Where OpenAI's API is, of the gateway whose own API is at `url`. */
export const openAiUrl = (url = settings.url): string => `${new URL(url).origin}/openai/v1`
