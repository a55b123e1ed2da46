/** Wrong usage or configuration: the message names the thing, the rule and the way out. Exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A target that cannot be reached at all. Exit 3. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/**
 * What a target did instead of answering: refused, reset, closed early, kept silent, or spoke malformed HTTP. A
 * requirement that meets one is the target's failure, never a defect of Assay.
 */
export class TargetFailure extends Error {
  override readonly name = 'TargetFailure'
}

/** A step that a requirement builds on did not work, so the requirement itself was not verified. */
export class PrerequisiteFailure extends Error {
  override readonly name = 'PrerequisiteFailure'
}

/** The run was over before a requirement was through. */
export class Stopped extends PrerequisiteFailure {
  constructor() {
    super('the run was stopped in the middle of this')
  }
}

/** A request that broke off as it was told to, `cutAfter` bytes into its body. */
export class Interruption extends Error {
  override readonly name = 'Interruption'

  constructor(sent: number, announced: number) {
    super(`the connection was closed on purpose, ${sent} bytes into a body of ${announced}`)
  }
}

/** A request that was not sent because the run is read-only: what needed it was not verified. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused'

  constructor(request: string) {
    super(`the run is read-only, and this needs ${request}`)
  }
}
