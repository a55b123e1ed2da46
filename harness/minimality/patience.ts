/** A fault that thinks for so long may well be one that waits. */
const patienceMs = 250

/** What the work comes to; `undefined` where it fails or takes its time. */
export async function withinPatience<T>(work: () => Promise<T> | T): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined)
  })
  try {
    return await Promise.race([
      Promise.resolve()
        .then(work)
        .catch(() => undefined),
      late,
    ])
  } finally {
    clearTimeout(timer)
  }
}
