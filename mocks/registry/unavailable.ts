/** The database does not answer, or broke off. The client is told 503 and to try again. */
export class DatabaseUnavailable extends Error {
  readonly code = 'ERR_DATABASE_UNAVAILABLE'
  override readonly name = 'DatabaseUnavailable'
}

/** The storage node does not answer, refuses, or says what cannot be. The client is told 503 and to try again. */
export class StorageUnavailable extends Error {
  readonly code = 'ERR_STORAGE_UNAVAILABLE'
  override readonly name = 'StorageUnavailable'
}
