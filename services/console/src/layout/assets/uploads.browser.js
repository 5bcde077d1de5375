// Uploads files beside a field to the bucket and writes their addresses into the field.
{
  const mebibyte = 1_048_576
  /** The files uploaded from this page, by address. */
  const uploaded = new Map()

  function make(tag, className, text) {
    const element = document.createElement(tag)
    if (className) element.className = className
    if (text !== undefined) element.textContent = text
    return element
  }

  /** Builds the file list, the drop zone and the progress bar of a field. The field stays for typed addresses. */
  function build(box, field) {
    const most = Number(box.dataset.most)
    const label = document.querySelector(`label[for="${field.id}"]`).firstChild.textContent.trim()
    const list = make('ul', 'files')
    const drop = make('div', 'drop')
    const input = Object.assign(make('input'), { type: 'file', accept: box.dataset.accept, multiple: most > 1, hidden: true })
    input.setAttribute('aria-label', `Files for ${label}`)
    const button = make('button', 'second', most > 1 ? 'Choose files' : 'Choose a file')
    button.type = 'button'
    button.setAttribute('aria-label', `${button.textContent} for ${label}`)
    const status = make('p', 'issue')
    status.setAttribute('role', 'alert')
    drop.append(button, make('span', 'soft', 'or drop or paste it here, or enter its https address below'), input)
    box.prepend(list, drop)
    box.append(status)
    return { box, field, form: field.form, most, kind: box.dataset.kind, list, drop, input, button, status }
  }

  const addressesOf = ({ field }) => field.value.split(/[\s,]+/).filter(Boolean)

  /** The field of the files' lengths, if there is one, and the lengths as far as they were measured. */
  const lengthsOf = place => ({
    lengths: place.form.elements.namedItem(place.box.dataset.seconds ?? ''),
    measured: addressesOf(place).map(address => uploaded.get(address)?.seconds),
  })

  function write(place, next) {
    const { field } = place
    field.value = next.join('\n')
    const { lengths, measured } = lengthsOf(place)
    if (lengths && measured.every(Boolean)) lengths.value = measured.join(', ')
    draw(place)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function draw(place) {
    const { field, list, drop, most } = place
    const shown = addressesOf(place).filter(address => uploaded.has(address))
    const isFull = addressesOf(place).length >= most
    // Keep the keyboard focus in this field: losing it would move keyboard users to the top of the page.
    const losesFocus = list.contains(document.activeElement) || (isFull && drop.contains(document.activeElement))
    list.replaceChildren(...shown.map(address => itemOf(place, address)))
    drop.hidden = isFull
    if (losesFocus) list.lastElementChild?.querySelector('button').focus()
    field.hidden = most === 1 && shown.length === 1
    const { lengths, measured } = lengthsOf(place)
    // Nobody types what was measured.
    if (lengths) lengths.readOnly = measured.length > 0 && measured.every(Boolean)
  }

  function itemOf(place, address) {
    const { name, url, facts } = uploaded.get(address)
    const item = make('li')
    const picture = Object.assign(make('img'), { src: url, alt: '' })
    picture.onload = () => addCrop(place, { item, picture, address })
    if (place.kind === 'image') item.append(picture)
    item.append(make('span', 'name', facts ? `${name} · ${facts}` : name))
    const remove = make('button', 'plain', 'Remove')
    remove.type = 'button'
    remove.setAttribute('aria-label', `Remove ${name}`)
    remove.onclick = () => {
      write(
        place,
        addressesOf(place).filter(each => each !== address),
      )
      place.button.focus()
    }
    item.append(remove)
    return item
  }

  /** A button that cuts the edges off a picture whose shape isn't the video's. */
  function addCrop(place, { item, picture, address }) {
    const chosen = place.form.elements.namedItem('aspect_ratio')?.value ?? ''
    const [, width, height] = /^(\d+):(\d+)$/.exec(chosen) ?? []
    const ratio = width / height
    if (!ratio || Math.abs(picture.naturalWidth / picture.naturalHeight / ratio - 1) < 0.01) return
    const button = make('button', 'plain', `Crop to ${chosen}`)
    button.type = 'button'
    button.setAttribute('aria-label', `Crop ${uploaded.get(address).name} to ${chosen}`)
    button.onclick = async () => {
      button.disabled = true
      button.textContent = 'Cropping…'
      place.status.textContent = ''
      try {
        const next = await upload(place, await cropped(uploaded.get(address).file, ratio))
        write(
          place,
          addressesOf(place).map(each => (each === address ? next : each)),
        )
      } catch (error) {
        draw(place)
        place.status.textContent = `The cropped picture was not accepted: ${error.message}`
      }
    }
    item.lastElementChild.before(button)
  }

  /** Its middle, as large as it can be. */
  async function cropped(file, ratio) {
    const bitmap = await createImageBitmap(file)
    const width = Math.min(bitmap.width, Math.round(bitmap.height * ratio))
    const height = Math.min(bitmap.height, Math.round(bitmap.width / ratio))
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d').drawImage(bitmap, (width - bitmap.width) / 2, (height - bitmap.height) / 2)
    const blob = await canvas.convertToBlob({ type: file.type, quality: 0.95 })
    return new File([blob], file.name, { type: blob.type })
  }

  async function addFiles(place, files) {
    const { most, status, input } = place
    status.textContent = ''
    const room = most - addressesOf(place).length
    if (files.length > room) status.textContent = room === 1 ? 'Only one more file is allowed.' : `Only ${room} more files are allowed.`
    for (const file of [...files].slice(0, room)) {
      try {
        const address = await upload(place, file)
        // Two may have been on their way for one place.
        if (addressesOf(place).length >= most) throw new Error('there is no more room.')
        write(place, [...addressesOf(place), address])
      } catch (error) {
        status.textContent = `${file.name}: ${error.message}`
      }
    }
    input.value = ''
  }

  /** The address of the uploaded file; throws why it isn't accepted. */
  async function upload(place, file) {
    const { box, form, kind, drop } = place
    const bytesMax = Number(box.dataset.bytes)
    if (bytesMax && file.size > bytesMax) throw new Error(`it is larger than the model’s limit of ${Math.floor(bytesMax / mebibyte)} MiB.`)
    const { model, mode } = form.elements
    const post = async (path, fields) => {
      const body = new URLSearchParams({ model: model.value, mode: mode.value, kind, ...fields })
      const answer = await fetch(`${form.dataset.uploads}${path}`, { method: 'POST', body, headers: { accept: 'application/json' } })
      return { ok: answer.ok, body: await answer.json() }
    }
    const { ok, body: presigned } = await post('', { type: file.type, bytes: file.size })
    if (!ok) throw new Error(presigned.error?.message ?? 'it was not accepted.')
    const bar = Object.assign(make('progress'), { max: 1, value: 0 })
    bar.setAttribute('aria-label', `Uploading ${file.name}`)
    drop.append(bar)
    try {
      await put(presigned.put, file, part => {
        bar.value = part
      })
      // Without a value the bar shows work of unknown length.
      bar.removeAttribute('value')
      bar.setAttribute('aria-label', `Checking ${file.name}`)
      const url = URL.createObjectURL(file)
      uploaded.set(presigned.media_url, { name: file.name, file, url, ...(await judge(post, presigned.media_url, kind, url)) })
    } finally {
      bar.remove()
    }
    return presigned.media_url
  }

  /** What checking the upload found; throws why it is refused. If it can't be checked now, the browser measures it. */
  async function judge(post, media_url, kind, url) {
    const { body } = await post('/verdicts', { media_url }).catch(() => ({ body: {} }))
    if (body.verdict === 'rejected') throw new Error(body.message)
    if (body.verdict === 'fits') return body
    const seconds = kind === 'image' ? undefined : await secondsOf(url)
    return { seconds, facts: seconds && `${seconds} s` }
  }

  /** Uses XMLHttpRequest, because it reports upload progress. */
  const put = ({ url, headers }, file, onProgress) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('PUT', url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
      const refuse = () => reject(new Error('the upload failed. Try again.'))
      request.onload = () => (request.status < 300 ? resolve() : refuse())
      request.onerror = refuse
      request.send(file)
    })

  /** The length in whole seconds, rounded up as requests need it; undefined if the browser can't read the file. */
  const secondsOf = url =>
    new Promise(resolve => {
      const player = document.createElement('video')
      player.preload = 'metadata'
      player.onloadedmetadata = () => resolve(Number.isFinite(player.duration) ? Math.max(1, Math.ceil(player.duration - 0.05)) : undefined)
      player.onerror = () => resolve(undefined)
      player.src = url
    })

  function enhance(box) {
    const field = box.querySelector('input, textarea')
    if (!field.form?.dataset.uploads || field.matches(':disabled') || box.dataset.live) return
    box.dataset.live = 'yes'
    const place = build(box, field)
    place.button.onclick = () => place.input.click()
    place.input.onchange = () => addFiles(place, place.input.files)
    field.addEventListener('input', () => draw(place))
    place.form.elements.namedItem('aspect_ratio')?.addEventListener('change', () => draw(place))
    for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
      box.addEventListener(name, event => {
        event.preventDefault()
        place.drop.classList.toggle('over', name === 'dragenter' || name === 'dragover')
        if (name === 'drop' && event.dataTransfer.files.length > 0) addFiles(place, event.dataTransfer.files)
      })
    box.place = place
    draw(place)
  }

  /** Pasted files go to the focused field of their kind, or to the first with room. */
  function paste(event) {
    const { files, types } = event.clipboardData ?? { files: [], types: [] }
    const [first] = files
    // Text that is copied from a document often comes with a picture of itself.
    if (!first || (types.includes('text/plain') && event.target.matches('input, textarea'))) return
    const places = [...document.querySelectorAll('.media')].flatMap(box => box.place ?? [])
    const open = places.filter(({ kind, drop }) => first.type.startsWith(`${kind}/`) && !drop.hidden)
    const place = open.find(({ box }) => box.contains(document.activeElement)) ?? open[0]
    if (!place) return
    event.preventDefault()
    addFiles(
      place,
      [...files].filter(({ type }) => type.startsWith(`${place.kind}/`)),
    )
  }
  document.addEventListener('paste', paste)

  const enhanceAll = root => {
    for (const box of root.querySelectorAll('.media')) enhance(box)
  }
  enhanceAll(document)
  document.addEventListener('filmgate:changed', event => enhanceAll(event.target))
}
