/** How git writes that there is no commit: a mock is not built from one of the platform's. */
const noCommit = '0'.repeat(40)

export const versionResolvers = {
  Query: { version: () => ({ commitHash: noCommit }) },
}
