let begin = () => {}
let begun: Promise<void> | undefined

/** From here on the suites that this thread loads wait for `beginRun` before they declare what they require. */
export function standBy(): void {
  begun = new Promise((resolve) => {
    begin = resolve
  })
}

/** Vitest has come to the suites. */
export const beginRun = (): void => begin()

/** Pending while the suites are loaded ahead of their run. */
export const runBegun = (): Promise<void> | undefined => begun
