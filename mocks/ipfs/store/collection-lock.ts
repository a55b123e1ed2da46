/** Keeps collection and pinning uploads apart: uploads go together, a collection goes alone, first come first served. */
export class CollectionLock {
  #users = 0
  #collecting = false
  readonly #waiting: { readonly alone: boolean; readonly start: () => void }[] = []

  /** Resolves with the function that gives the lock back. */
  shared(): Promise<() => void> {
    return this.#enter(false)
  }

  alone(): Promise<() => void> {
    return this.#enter(true)
  }

  #enter(alone: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      this.#waiting.push({ alone, start: () => resolve(this.#leaver(alone)) })
      this.#advance()
    })
  }

  #leaver(alone: boolean): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      if (alone) this.#collecting = false
      else this.#users--
      this.#advance()
    }
  }

  #advance(): void {
    for (let next = this.#waiting[0]; next && this.#admits(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift()
      if (next.alone) this.#collecting = true
      else this.#users++
      next.start()
    }
  }

  #admits(alone: boolean): boolean {
    return !this.#collecting && (!alone || this.#users === 0)
  }
}
