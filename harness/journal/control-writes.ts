import type { Recogniser } from './observer.ts'

/** Recognises faults that are switched on at the control surface of a mock. */
export function controlWrites(control: string): Recogniser {
  const faults = new URL('faults/', control).href
  return {
    recognise({ method, url }) {
      if (!url.startsWith(faults) || url === faults) return undefined
      const fault = { kind: 'fault' as const, url: url.replace(/[?#].*$/, '') }
      if (method === 'PUT') return { making: [fault] }
      if (method !== 'DELETE') return undefined
      return { making: [], settled: ({ status }) => (status < 300 ? [{ gone: [fault] }] : []) }
    },
  }
}
