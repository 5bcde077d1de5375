const product = 'Filmgate/1'

/** What hosts are told of who asks: the product, and where whoever runs it is reached. */
export const userAgentOf = (contact?: string): string => (contact === undefined ? product : `${product} (+${contact})`)
