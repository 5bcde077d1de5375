// Saves the chosen videos of the gallery as one ZIP. They come from where they are stored, one after another.
{
  const gallery = document.querySelector('[data-tasks]')
  const bar = document.querySelector('[data-zip]')
  const [save, stop] = bar.querySelectorAll('button')
  const status = bar.querySelector('[role="status"]')
  let running
  /** The stream ends with an error of its own, so what is read is kept beside it. */
  let current

  const chosen = () => [...gallery.querySelectorAll('.pick input:checked')]

  function count() {
    const { length } = chosen()
    bar.hidden = length === 0 && !running
    save.textContent = length === 1 ? 'Download 1 video as ZIP' : `Download ${length} videos as ZIP`
    stop.textContent = running ? 'Stop' : 'Clear'
  }

  async function* videosOf(boxes, signal) {
    for (const [index, { dataset }] of boxes.entries()) {
      status.textContent = `Downloading ${index + 1} of ${boxes.length}…`
      current = dataset.file
      // What a player has cached was asked for without an origin, and can't be read.
      const answer = await fetch(dataset.url, { signal, cache: 'no-store' }).catch(() => undefined)
      if (!answer?.ok) throw new Error('no video')
      yield { name: dataset.file, input: answer }
    }
  }

  async function download() {
    running = new AbortController()
    save.disabled = true
    count()
    const { signal } = running
    try {
      const { downloadZip } = await import(bar.dataset.zip)
      const url = URL.createObjectURL(await downloadZip(videosOf(chosen(), signal)).blob())
      Object.assign(document.createElement('a'), { href: url, download: 'filmgate-videos.zip' }).click()
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
      status.textContent = 'The ZIP is complete.'
    } catch {
      const why = signal.aborted ? 'Stopped' : `${current} could not be downloaded`
      status.textContent = `${why}. Nothing was saved.`
    } finally {
      running = undefined
      save.disabled = false
      count()
    }
  }

  save.onclick = download
  stop.onclick = () => {
    if (running) return running.abort()
    for (const box of chosen()) box.checked = false
    status.textContent = ''
    count()
  }
  gallery.addEventListener('change', event => {
    if (!event.target.closest('.pick')) return
    if (!running) status.textContent = ''
    count()
  })
  gallery.classList.add('picking')
  // Back in the history keeps what was checked.
  count()
}
