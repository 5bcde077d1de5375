/** Half of the file: either broken off (`clean` false), or ended as if it were all, so that only the video tells. */
export function cutOff(whole: Uint8Array<ArrayBuffer>, clean: boolean): Response {
  const half = whole.subarray(0, Math.floor(whole.length / 2))
  if (clean) return new Response(half, { headers: { 'content-type': 'video/mp4' } })
  let sent = false
  const body = new ReadableStream({
    pull(controller) {
      if (sent) controller.error()
      else controller.enqueue(half)
      sent = true
    },
  })
  return new Response(body, { headers: { 'content-type': 'video/mp4' } })
}

/** The file and then zeros until the caller hangs up. */
export function endless(whole: Uint8Array<ArrayBuffer>): Response {
  const zeros = new Uint8Array(65_536)
  let first = true
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(first ? whole : zeros)
      first = false
      // Gives the event loop back, or one greedy reader would be all this process serves.
      await Bun.sleep(1)
    },
  })
  return new Response(body, { headers: { 'content-type': 'video/mp4' } })
}

/** The first half, and then nothing while the connection stays open. */
export function stalled(whole: Uint8Array<ArrayBuffer>): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(whole.subarray(0, Math.floor(whole.length / 2)))
    },
  })
  return new Response(body, { headers: { 'content-type': 'video/mp4' } })
}
