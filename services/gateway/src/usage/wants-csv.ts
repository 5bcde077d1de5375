/** Whether the client would have CSV rather than JSON. */
export const wantsCsv = (request: Request): boolean => /(^|,)\s*text\/csv\b/i.test(request.headers.get('accept') ?? '')
