export const backends = 'filmgate-backends'
export const namespace = 'filmgate'
