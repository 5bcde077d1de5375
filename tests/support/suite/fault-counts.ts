const count = (name: string, fallback: number): number => {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  if (!/^\d{1,6}$/.test(text)) throw new Error(`${name} must be a whole number, and is ${text}`)
  return Number(text)
}

/** FILMGATE_RETRY_CUTS and FILMGATE_RETRY_KILLS: how many requests meet a network fault, and how many a killed gateway. */
export const faultCounts = () => ({ cuts: count('FILMGATE_RETRY_CUTS', 950), kills: count('FILMGATE_RETRY_KILLS', 50) })
