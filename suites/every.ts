declare global {
  interface ImportMeta {
    /** Vite imports the modules that match. */
    glob(pattern: string, options: { readonly eager: true }): unknown
  }
}

// One module for Vitest instead of a hundred: requirements of different suites run side by side, and start sooner.
export const suites = import.meta.glob('./**/*.suite.{ts,js}', { eager: true })
